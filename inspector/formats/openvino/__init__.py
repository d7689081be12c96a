"""OpenVINO models: an XML file with the graph, and a .bin file with the weights beside it."""
