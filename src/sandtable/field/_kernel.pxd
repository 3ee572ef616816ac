# Products of the exact table reach 2^112: more than 64 bits, and more than Cython has a name for. Where this is not
# compiled, `wide` is only an annotation and every number a Python integer.
cdef extern from *:
    """
    typedef __int128 sandtable_wide;
    """
    ctypedef long long wide "sandtable_wide"
