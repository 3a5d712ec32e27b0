import gpucore as gp


def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


@gp.kernel
def factorials(x: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    x[i] = factorial(x[i])

# fix
#-    if n <= 1:
#-        return 1
#-    return n * factorial(n - 1)
#+    product = 1
#+    for k in range(2, n + 1):
#+        product *= k
#+    return product
