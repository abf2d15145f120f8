# Run with cmake -P in every build: writes ${output} from ${template}, only when it would change.
# In: source_dir, template, output, version, compiler.
set(commit "unknown")

# Only our own repository counts: a release unpacked inside another one must not borrow its commit.
if(EXISTS "${source_dir}/.git")
    find_program(git git)
    if(git)
        # No optional locks: a build must not get in the way of git commands typed meanwhile.
        execute_process(
            COMMAND ${git} --no-optional-locks describe --always --dirty
            WORKING_DIRECTORY "${source_dir}"
            OUTPUT_VARIABLE described
            OUTPUT_STRIP_TRAILING_WHITESPACE
            ERROR_QUIET
        )
        if(described)
            set(commit "${described}")
        endif()
    endif()
endif()

configure_file("${template}" "${output}" @ONLY)
