import re,random,pathlib,sys
seed=int(sys.argv[1]); n=int(sys.argv[2])
root=pathlib.Path('/work/wt/lmwin'); S=[]
for p in [root/'README.md',*sorted((root/'docs').rglob('*.md'))]:
    if 'adr' in p.parts: continue
    t=p.read_text(); t=re.sub(r'```.*?```','',t,flags=re.S); t=re.sub(r'<!--.*?-->','',t,flags=re.S)
    for block in re.split(r'\n\s*\n|\n(?=[-|#*\d] ?)',t):
        b=' '.join(block.split())
        if len(b)<15 or b.startswith('|--') or b.startswith('| --'): continue
        parts=[b] if b.startswith('|') else re.split(r'(?<=[.!?])\s+(?=[A-Z`*])',b)
        for s in parts:
            if len(s)>12: S.append((str(p.relative_to(root)),s))
print(len(S),file=sys.stderr)
for p,s in random.Random(seed).sample(S,n): print(f'{p}\t{s}')
