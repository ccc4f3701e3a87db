import distance from 'damerau-levenshtein'

/** Returns Latin words without accents, in lower case. Long names are cut, because one character can become eighteen letters. */
async function foldName(name: string): Promise<readonly string[]> {
  // Loaded on first use, because its tables take up half a megabyte.
  const { default: anyAscii } = await import('any-ascii')
  return anyAscii(name.normalize('NFC'))
    .slice(0, mostLetters)
    .toLowerCase()
    .replace(/['`´’.]/g, ' ')
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
}

/** Maximum number of letters, because the comparison is quadratic. */
const mostLetters = 400

/** Returns a rough phonetic form, which is equal for common transliterations. */
function soundOf(word: string): string {
  return word
    .replaceAll('ph', 'f')
    .replaceAll('x', 'ks')
    .replaceAll('ck', 'k')
    .replace(/[yj]/g, 'i')
    .replaceAll('w', 'v')
    .replace(/(.)\1+/g, '$1')
}

/** Given names, each with its variants, as `foldName` writes them. Real vendors know more variants. */
const forms = `
  abigail abby gail, aleksandr alexander alex alec sasha sandro sandy, alexandra alex sasha sandra lexi,
  andrew andy drew, anthony antonio tony, ann anne anna annie, barbara barb babs, benjamin ben benny,
  catherine katherine kathryn cathy kathy kate katie kat kitty, charles charlie chuck carlos,
  christina christine chris tina chrissy, christopher chris kit, daniel dan danny, david dave davey,
  deborah debra deb debbie, dmitry dmitri dima mitya, donald don donny, edward ed eddie ted teddy ned,
  elizabeth elisabeth liz lizzie beth betty eliza lisa ella, francis francisco frank paco pancho,
  frederick fred freddie fritz, gabriel gabriela gabe gaby, george jorge georgie, gerald jerry gerry,
  gregory greg, guadalupe lupe, henry harry hank enrique, ignacio nacho, isabella isabel bella izzy,
  jacob jake, james jim jimmy jamie, jennifer jen jenny, jessica jess jessie,
  johannes johann hans hannes, john johnny jack juan, jonathan jon jonny, joseph jose joe joey pepe,
  joshua josh, kenneth ken kenny, lawrence laurence larry, leonard leo lenny, leonardo leo,
  margaret maggie meg peggy margie greta rita, maria marie mary mia masha, matthew matt, maximilian max,
  michael mike mick mickey micky misha miguel, mohammed muhammad mohamed mohammad mo,
  natalia natalie natasha nat, nicholas nicolas nick nicky nico nikolai kolya klaus, oliver ollie,
  olivia liv livvy, patricia pat patty trish tricia, patrick pat paddy, peter pete pedro,
  philip phillip phil, raymond ray, rebecca becca becky, richard rich rick ricky dick,
  robert rob robbie bob bobby bert roberto, ronald ron ronnie, samantha sam sammy, samuel sam sammy,
  stephanie steph, stephen steven steve, susan susanna sue susie, svetlana sveta lana,
  theodore ted teddy theo, thomas tom tommy tomas, timothy tim timmy, victoria vicky tori,
  vincent vince vinny, vladimir vova volodya, walter walt wally,
  william will willy bill billy liam guillermo, yevgeny evgeny eugene gene zhenya, zachary zach zack
`
  .split(',')
  .map((names) => new Set(names.trim().split(/\s+/)))

function areNicknames(one: string, other: string): boolean {
  return forms.some((names) => names.has(one) && names.has(other))
}

type PersonName = { firstName: string; lastName: string }

/** Returns scores from 0 to 100 (PROTOCOL.md 10.7). If first and last name match well when swapped, both parts get that score. */
export async function compareNames(
  given: PersonName,
  known: PersonName,
): Promise<{ firstName: number; lastName: number }> {
  const [first, last, knownFirst, knownLast] = await Promise.all(
    [given.firstName, given.lastName, known.firstName, known.lastName].map(foldName),
  )
  if (first === undefined || last === undefined || knownFirst === undefined || knownLast === undefined)
    throw new Error('Expected four folded names.')
  const straight = {
    firstName: compareWords(first, knownFirst, 'given'),
    lastName: compareWords(last, knownLast, 'family'),
  }
  const exchanged = Math.min(
    scores.exchanged,
    compareWords(last, knownFirst, 'given'),
    compareWords(first, knownLast, 'family'),
  )
  const isGood = exchanged >= scores.twoSlips && exchanged > Math.min(straight.firstName, straight.lastName)
  return isGood ? { firstName: exchanged, lastName: exchanged } : straight
}

const scores = { exchanged: 95, part: 95, nickname: 95, sound: 94, oneSlip: 92, initial: 91, twoSlips: 90 }

type Kind = 'given' | 'family'

function compareWords(given: readonly string[], known: readonly string[], kind: Kind): number {
  const [one, other] = [given.join(''), known.join('')]
  // People with a single name enter a placeholder, such as a dash, for the other part.
  if (one === '' || other === '') return one === other ? 100 : 0
  const [fewer, more] = given.length <= known.length ? [given, known] : [known, given]
  return Math.max(compareWord(one, other, kind), comparePart(fewer, more, kind))
}

/** Words of a multi-word name may be missing, but each word that is present must match a word of the other name. */
function comparePart(fewer: readonly string[], more: readonly string[], kind: Kind): number {
  if (more.length < 2) return 0
  // "de" alone identifies no one, not even as part of "de la Cruz".
  if (kind === 'family' && fewer.join('').length < 4) return 0
  const left = [...more]
  let least: number = fewer.length === more.length ? 100 : scores.part
  for (const word of fewer) {
    const fits = left.map((candidate) => compareWord(word, candidate, kind))
    const best = Math.max(...fits)
    left.splice(fits.indexOf(best), 1)
    least = Math.min(least, best)
  }
  return least
}

function compareWord(one: string, other: string, kind: Kind): number {
  if (one === other) return 100
  if (kind === 'given') {
    if (areNicknames(one, other)) return scores.nickname
    if ((one.length === 1 || other.length === 1) && one[0] === other[0]) return scores.initial
  }
  const [sound, otherSound] = [soundOf(one), soundOf(other)]
  if (sound === otherSound && Math.min(one.length, other.length) > 1) return scores.sound
  return Math.max(bySlips(one, other), bySlips(sound, otherSound))
}

/** Counts typing errors: an extra, missing or wrong letter, or two swapped letters. */
function bySlips(one: string, other: string): number {
  const length = Math.max(one.length, other.length)
  const { steps } = distance(one, other)
  if (steps === 1 && length >= 4) return scores.oneSlip
  if (steps === 2 && length >= 8) return scores.twoSlips
  return Math.min(scores.twoSlips - 1, Math.round(100 * (1 - steps / length)))
}
