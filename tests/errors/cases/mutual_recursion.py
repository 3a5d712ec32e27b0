import gpucore as gp


def is_even(n):
    if n == 0:
        return True
    return is_odd(n - 1)


def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)


@gp.kernel
def parity(x: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    x[i] = 1 if is_even(x[i]) else 0

# fix
#-    if n == 0:
#-        return True
#-    return is_odd(n - 1)
#-
#-
#-def is_odd(n):
#-    if n == 0:
#-        return False
#-    return is_even(n - 1)
#+    even = True
#+    for k in range(n):
#+        even = not even
#+    return even
