// Undefined behaviour that deploy/sanitize must find: an overflow of a signed number.
#include <limits.h>

int main(int count, char **arguments) {
    (void)arguments;
    volatile int number = INT_MAX;
    number += count;
    return 0;
}
