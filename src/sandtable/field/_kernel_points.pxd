# The kernel's kind of integer; where it is not compiled every number is a Python integer.
ctypedef long long num
