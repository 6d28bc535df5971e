# Keeps the binary schemas and their embedded form; the second set of C++ headers that --cpp writes beside them
# is dropped.
foreach(root envelope discovery log)
  foreach(file ${root}.bfbs ${root}_bfbs_generated.h)
    file(COPY_FILE ${FROM}/${file} ${TO}/${file} ONLY_IF_DIFFERENT)
    file(TOUCH_NOCREATE ${TO}/${file})
  endforeach()
endforeach()
file(REMOVE_RECURSE ${FROM})
