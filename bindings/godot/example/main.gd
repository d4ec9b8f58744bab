extends TextureRect

func _on_solved(solution: Dictionary) -> void:
	texture = ImageTexture.create_from_image(solution.pictures[0])

func _on_failed(reason: String, is_error: bool) -> void:
	push_error(reason if is_error else "no island: " + reason)

func _input(event: InputEvent) -> void:
	if event.is_action_pressed("ui_accept"):
		$Search.search_next()
