#pragma once
#include <cub/fake.cuh>
