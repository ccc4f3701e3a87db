import { expect, test } from 'vitest'
import { sitePages } from '../../docs/generate/sitePages.ts'
import { protocol, trackedTexts } from './repositoryTexts.ts'

/** Every citation names a section of PROTOCOL.md that exists, and no text outside of the repository. */

type Citation = { place: string; section: string }

/** Returns the repository's own texts. */
function textFiles(): { path: string; text: string }[] {
  return [...trackedTexts(/\.(?:tsx?|mjs|sol|md|json)$/)]
    .filter(([path]) => path !== 'package-lock.json')
    .map(([path, text]) => ({ path, text }))
}

/** `PROTOCOL.md 4`, `PROTOCOL.md 3 and 4.1`, `PROTOCOL.md 2 to 6`: each section separately, including both ends of a range. */
function citationsIn({ path, text }: { path: string; text: string }): Citation[] {
  // A citation may be broken where its comment is.
  const joined = text.replace(/\r?\n[ \t]*(?:\*|\/{2,3}|#)?[ \t]*/g, ' ')
  const found: Citation[] = []
  const number = String.raw`\d+(?:\.\d+)?`
  const unit = String.raw`(?!\s*(?:%|seconds|minutes|hours|bytes))`
  const more = String.raw`(?:(?:,| to|,? and|,? or) ${number}\b${unit})*`
  const name = String.raw`PROTOCOL\.md`
  const words = '(?:sections? |parts? |§ ?)?'
  const lists = joined.matchAll(new RegExp(`${name}\`?,? ${words}(${number}${more})`, 'g'))
  for (const [, list = ''] of lists) {
    for (const [, first = '', last] of list.matchAll(/(\d+(?:\.\d+)?)(?: to (\d+(?:\.\d+)?))?/g))
      for (const section of last === undefined ? [first] : span(first, last))
        found.push({ place: path, section })
  }
  return found
}

/** Expands `2` to `6`, or `3.1` to `3.4`. For any other pair, returns its two ends. */
function span(first: string, last: string): string[] {
  const [from = '', fromPart] = first.split('.')
  const [to = '', toPart] = last.split('.')
  const numbers = (low: string, high: string) =>
    Array.from({ length: Math.max(0, Number(high) - Number(low) + 1) }, (_, index) => Number(low) + index)
  if (fromPart === undefined && toPart === undefined) return numbers(from, to).map(String)
  if (from === to && fromPart !== undefined && toPart !== undefined)
    return numbers(fromPart, toPart).map((part) => `${from}.${part}`)
  return [first, last]
}

/** Returns the numbers of all headings, in order. */
function headings(): string[] {
  return [...protocol.matchAll(/^##(?:# (\d+\.\d+)| (\d+)\.) \S/gm)].map(
    ([, part, whole]) => part ?? whole ?? '',
  )
}

/** Separators between two words of a sentence: a blank, or a line break inside a comment. */
const gap = String.raw`(?:[ \t]|\r?\n[ \t]*(?:\*|\/{2,3})?[ \t]*)+`
const absent = [
  `decisions?,?${gap}sections?`,
  `(?:of|and)${gap}the${gap}decisions`,
  `project's${gap}decisions`,
  String.raw`decisions\.md`,
  String.raw`\bdocuments?${gap}[12]\b`,
  `(?:the|service)${gap}documents`,
]

/** Returns the phrases that refer to a text outside of the repository. */
function absentTextsIn({ path, text }: { path: string; text: string }): string[] {
  return [...text.matchAll(new RegExp(absent.join('|'), 'gi'))].map(
    ({ 0: words, index }) =>
      `${path}:${text.slice(0, index).split('\n').length} ${JSON.stringify(words.replace(/\s+/g, ' '))}`,
  )
}

test('citations are read singly, as lists, as ranges, and across comment lines', () => {
  const sectionsOf = (text: string) => citationsIn({ path: '', text }).map(({ section }) => section)
  const name = 'PROTOCOL.md'
  expect(sectionsOf(`see ${name} 4.`)).toEqual(['4'])
  expect(sectionsOf(`see \`${name}\` 11.10, then`)).toEqual(['11.10'])
  expect(sectionsOf(`${name} 3 and 4; ${name} 5, 6.1 and 7`)).toEqual(['3', '4', '5', '6.1', '7'])
  expect(sectionsOf(`${name} 2 to 4; ${name} 3.1 to 3.3`)).toEqual(['2', '3', '4', '3.1', '3.2', '3.3'])
  expect(sectionsOf(` * as in ${name}\n * 7.2 says`)).toEqual(['7.2'])
  expect(sectionsOf(`/// ${name} 6.4 and\n    /// 6.5`)).toEqual(['6.4', '6.5'])
  expect(sectionsOf(`${name}, section 13`)).toEqual(['13'])
  expect(sectionsOf(`the whole of ${name} and 5 others`)).toEqual([])
})

test('headings of PROTOCOL.md are numbered without gaps', () => {
  let [section, part] = [0, 0]
  const expected = headings().map((number) => {
    if (number.includes('.')) return `${section}.${++part}`
    part = 0
    return `${++section}`
  })
  expect(headings()).toEqual(expected)
  expect(section).toBe(12)
})

test('every section that is cited exists', () => {
  const known = new Set(headings())
  const citations = textFiles().flatMap(citationsIn)
  expect(citations.length).toBeGreaterThan(50)
  expect(citations.filter(({ section }) => !known.has(section))).toEqual([])
})

test('every section that PROTOCOL.md itself points to exists', () => {
  const known = new Set(headings())
  const prose = protocol.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '')
  const pointers = [...prose.matchAll(/(?<![\d.])(?:1[0-2]|[1-9])\.[1-9]\d?(?![\d.]*\d)/g)].map(
    ([number]) => number,
  )
  const sections = [...prose.matchAll(/\bsections? (\d+)\b/gi)].map(([, number = '']) => number)
  expect(pointers.length).toBeGreaterThan(100)
  expect([...pointers, ...sections].filter((number) => !known.has(number))).toEqual([])
})

test('a reference to an external text is found under each of its names, across comment lines too', () => {
  const count = (text: string) => absentTextsIn({ path: '', text }).length
  // Split into parts, so that this file itself contains no such reference.
  const [decided, described] = ['deci' + 'sions', 'docu' + 'ment']
  expect(count(`(${decided}, section 7)`)).toBe(1)
  expect(count(` * allow (${decided},\n * section 6)`)).toBe(1)
  expect(count(`see ${decided}.md`)).toBe(1)
  expect(count(`Sections 3 and 4 of the ${decided}`)).toBe(1)
  expect(count(`(${described} 2, section 4.5)`)).toBe(1)
  expect(count(`what the ${described}s say`)).toBe(1)
  expect(count(`whoever takes ${decided} signs a ${described}`)).toBe(0)
})

test('nothing refers to a text outside the repository', () => {
  expect(textFiles().flatMap(absentTextsIn)).toEqual([])
})

test('every link of README.md and PROTOCOL.md leads to a file and a heading', () => {
  // The build of the documentation checks the links of its pages.
  const pages = new Map(textFiles().flatMap(({ path, text }) => (path.endsWith('.md') ? [[path, text]] : [])))
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-')
  const anchorsOf = (text: string) =>
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => slug(heading))
  const links = ['README.md', 'PROTOCOL.md'].flatMap((path) =>
    [...(pages.get(path) ?? '').matchAll(/\]\(([^)\s:#]*\.md)?(?:#([\w-]+))?\)/g)].map(
      ([link, file = path, anchor]) => ({
        link: `${path}: ${link}`,
        target: pages.get(file),
        anchor,
      }),
    ),
  )
  const dead = links.filter(
    ({ target, anchor }) =>
      target === undefined || (anchor !== undefined && !anchorsOf(target).includes(anchor)),
  )
  expect(links.length).toBeGreaterThan(40)
  expect(dead.map(({ link }) => link)).toEqual([])
})

test('every page of docs/ that is cited exists', () => {
  const files = textFiles()
  // In the packages, the pages of the site are in docs/.
  const pages = new Set([
    ...files.map(({ path }) => path),
    ...[...sitePages().keys()].map((path) => `docs/${path}`),
  ])
  const cited = files.flatMap(({ path, text }) =>
    [...text.matchAll(/(?<![\w/.-])docs\/[\w/-]+\.md\b/g)].map(([page]) => ({ path, page })),
  )
  expect(cited.length).toBeGreaterThan(5)
  expect(cited.filter(({ page }) => !pages.has(page))).toEqual([])
})
