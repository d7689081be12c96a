"""Chat templates in the style of well-known public models, written for these tests, and the
text that each must give for one conversation."""

CHAT = (
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": " Hi <you>! "},
    {"role": "assistant", "content": "Hello."},
    {"role": "user", "content": "2 & 2?"},
)
MARKS = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>"}

CHATML = """\
{%- for message in messages %}
    {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
{%- endif %}
"""
LLAMA_3 = """\
{% set loop_messages = messages %}
{% for message in loop_messages %}
    {% set content = '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n'\
 + message['content'] | trim + '<|eot_id|>' %}
    {% if loop.index0 == 0 %}
        {% set content = bos_token + content %}
    {% endif %}
    {{- content }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- endif %}
"""
MISTRAL = """\
{%- if messages[0]['role'] == 'system' %}
    {%- set system_message = messages[0]['content'] %}
    {%- set loop_messages = messages[1:] %}
{%- else %}
    {%- set loop_messages = messages %}
{%- endif %}
{{- bos_token }}
{%- for message in loop_messages %}
    {%- if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}
        {{- raise_exception('Conversation roles must alternate user/assistant/...') }}
    {%- endif %}
    {%- if message['role'] == 'user' %}
        {%- if loop.first and system_message is defined %}
            {{- ' [INST] ' + system_message + '\\n\\n' + message['content'] + ' [/INST]' }}
        {%- else %}
            {{- ' [INST] ' + message['content'] + ' [/INST]' }}
        {%- endif %}
    {%- else %}
        {{- ' ' + message['content'] + eos_token }}
    {%- endif %}
{%- endfor %}
"""
GEMMA = """\
{{ bos_token }}{% if messages[0]['role'] == 'system' %}\
{% set first = messages[0]['content'] + '\\n\\n' %}{% set rest = messages[1:] %}\
{% else %}{% set first = '' %}{% set rest = messages %}{% endif %}\
{% for message in rest %}\
{% if (message['role'] == 'assistant') %}{% set role = 'model' %}\
{% else %}{% set role = message['role'] %}{% endif %}\
{{ '<start_of_turn>' + role + '\\n' + (first if loop.first else '')\
 + message['content'] | trim + '<end_of_turn>\\n' }}\
{% endfor %}{% if add_generation_prompt %}{{ '<start_of_turn>model\\n' }}{% endif %}"""
PHI = """\
{% for message in messages %}{% if message['role'] == 'system' %}\
{{'<|system|>\\n' + message['content'] + '<|end|>\\n'}}\
{% elif message['role'] == 'user' %}{{'<|user|>\\n' + message['content'] + '<|end|>\\n'}}\
{% elif message['role'] == 'assistant' %}\
{{'<|assistant|>\\n' + message['content'] + '<|end|>\\n'}}{% endif %}{% endfor %}\
{% if add_generation_prompt %}{{ '<|assistant|>\\n' }}{% else %}{{ eos_token }}{% endif %}"""
ZEPHYR = """\
{% for message in messages %}
{% if message['role'] == 'user' %}
{{ '<|user|>\\n' + message['content'] + eos_token }}
{% elif message['role'] == 'system' %}
{{ '<|system|>\\n' + message['content'] + eos_token }}
{% elif message['role'] == 'assistant' %}
{{ '<|assistant|>\\n'  + message['content'] + eos_token }}
{% endif %}
{% if loop.last and add_generation_prompt %}
{{ '<|assistant|>' }}
{% endif %}
{% endfor %}"""

TEXTS = {
    "ChatML": (
        CHATML,
        "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\n Hi <you>! <|im_end|>\n"
        "<|im_start|>assistant\nHello.<|im_end|>\n<|im_start|>user\n2 & 2?<|im_end|>\n"
        "<|im_start|>assistant\n",
    ),
    "Llama 3": (
        LLAMA_3,
        "<s><|start_header_id|>system<|end_header_id|>\n\nBe brief.<|eot_id|>"
        "<|start_header_id|>user<|end_header_id|>\n\nHi <you>!<|eot_id|>"
        "<|start_header_id|>assistant<|end_header_id|>\n\nHello.<|eot_id|>"
        "<|start_header_id|>user<|end_header_id|>\n\n2 & 2?<|eot_id|>"
        "<|start_header_id|>assistant<|end_header_id|>\n\n",
    ),
    "Mistral": (
        MISTRAL,
        "<s> [INST] Be brief.\n\n Hi <you>!  [/INST] Hello.</s> [INST] 2 & 2? [/INST]",
    ),
    "Gemma": (
        GEMMA,
        "<s><start_of_turn>user\nBe brief.\n\nHi <you>!<end_of_turn>\n"
        "<start_of_turn>model\nHello.<end_of_turn>\n"
        "<start_of_turn>user\n2 & 2?<end_of_turn>\n<start_of_turn>model\n",
    ),
    "Phi": (
        PHI,
        "<|system|>\nBe brief.<|end|>\n<|user|>\n Hi <you>! <|end|>\n"
        "<|assistant|>\nHello.<|end|>\n<|user|>\n2 & 2?<|end|>\n<|assistant|>\n",
    ),
    "Zephyr": (
        ZEPHYR,
        "<|system|>\nBe brief.</s>\n<|user|>\n Hi <you>! </s>\n<|assistant|>\nHello.</s>\n"
        "<|user|>\n2 & 2?</s>\n<|assistant|>\n",
    ),
}
