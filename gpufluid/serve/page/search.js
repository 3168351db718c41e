// The order in which a search lists names: the twin of gpufluid/viewer/search.py, which says it in words.

const plain = (name) => name.toLowerCase().replaceAll("_", " ").replaceAll("-", " ");
const isOfWord = (letter) => /[\p{L}\p{N}]/u.test(letter);

/** 0: the text is the name; 1: the name begins so; 2: another word of it does; 3: another part; null: no part. */
export function rank(text, name) {
  const wanted = plain(text.trim()), known = plain(name);
  if (known === wanted) return 0;
  let place = known.indexOf(wanted);
  if (place < 0) return null;
  if (place === 0) return 1;
  for (; place >= 0; place = known.indexOf(wanted, place + 1)) if (!isOfWord(known[place - 1])) return 2;
  return 3;
}

/** The entries whose name a typed text fits, by their rank; those of one rank stay in their order. */
export function found(text, entries) {
  const ranked = entries.map((entry) => [rank(text, entry.name), entry]).filter(([place]) => place !== null);
  return ranked.sort(([one], [other]) => one - other).map(([, entry]) => entry);
}
