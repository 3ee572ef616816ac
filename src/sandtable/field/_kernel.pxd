# The kernel's two kinds of integer. Products of the exact table reach 2^112: more than 64 bits, and more than Cython has
# a name for. Where the kernel is not compiled both are only annotations, and every number is a Python integer.
ctypedef long long num

cdef extern from *:
    """
    typedef __int128 sandtable_wide;
    """
    ctypedef long long wide "sandtable_wide"
