# karikomi_embed(TARGET FILE NAMESPACE HEADER NAME): a text file becomes a string in the program.
set(karikomi_embed_script ${CMAKE_CURRENT_LIST_DIR}/embed.cmake)
function(karikomi_embed target file namespace header name)
    cmake_path(ABSOLUTE_PATH file NORMALIZE OUTPUT_VARIABLE input)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/embedded)
    if(DEFINED karikomi_embed_folder)
        set(folder ${karikomi_embed_folder})
    endif()
    set(output ${folder}/karikomi/${namespace}/${header}.hpp)
    add_custom_command(
        OUTPUT ${output}
        COMMAND
            ${CMAKE_COMMAND} -D input=${input} -D output=${output} -D namespace=${namespace} -D
            name=${name} -P ${karikomi_embed_script}
        DEPENDS ${input} ${karikomi_embed_script}
        VERBATIM
    )
    target_sources(${target} PRIVATE ${output})
    target_include_directories(${target} PRIVATE ${folder})
endfunction()

# karikomi_embed_params(TARGET FILE NAME): a parameter file becomes a part of the program, which then
# needs no files. FILE mygame.json and NAME kMyGame give
#   #include "karikomi/params/mygame.hpp"   // karikomi::params::kMyGame
function(karikomi_embed_params target file name)
    cmake_path(GET file STEM stem)
    karikomi_embed(${target} ${file} params ${stem} ${name})
endfunction()
