# Message log and headless replay: the part of the session layer that needs no sockets.
iron_library(iron_replay SOURCES message_log.cpp replay.cpp replay_source.cpp
             LINK iron_protocol iron_sim iron_mission)
