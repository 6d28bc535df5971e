#!/usr/bin/env bash
# usage: simulation_symbols.sh NM LIBRARY...
# The simulation may not reach libm's transcendental functions, a clock, rand, the locale or a
# thread (design rule 1). Looks at the undefined symbols of its objects.
set -euo pipefail
nm=$1
shift
forbidden='^(sinf?|cosf?|tanf?|asinf?|acosf?|atanf?|atan2f?|sincosf?|sinhf?|coshf?|tanhf?|expf?|exp2f?|expm1f?|logf?|log2f?|log10f?|log1pf?|powf?|hypotf?|cbrtf?|fmodf?|remainderf?|roundf?|lroundf?|floorf?|ceilf?|rintf?|nearbyintf?|tgammaf?|lgammaf?|erff?|rand|srand|random|srandom|drand48|rand_r|time|gettimeofday|clock|clock_gettime|localtime|gmtime|mktime|strftime|setlocale|strtod|strtof|atof|getenv|pthread_create|nanosleep|usleep|socket|_ZNSt6chrono.*now.*|_ZNSt13random_device.*)(@.*)?$'
# One exception: the JSON library's lexer calls strtod when the rules are read; rules_json.cpp takes
# the number's text instead and ignores that value.
# The check itself must be able to fail.
printf 'sinf\n' | grep -qE "$forbidden"
printf '_ZNSt6chrono3_V212steady_clock3nowEv\n' | grep -qE "$forbidden"
status=0
for library in "$@"; do
  [ -s "$library" ] || { echo "$library is missing"; exit 1; }
  hits=$("$nm" -A --undefined-only "$library" 2>/dev/null |
    grep -vE 'rules_json\.cpp\.o:.* strtod$' | awk '{print $NF}' | sort -u | grep -E "$forbidden" || true)
  if [ -n "$hits" ]; then
    echo "$(basename "$library") refers to: $(echo $hits)"
    status=1
  fi
done
exit $status
