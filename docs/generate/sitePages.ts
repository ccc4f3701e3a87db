import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apiPages } from './apiPages.ts'
import { configurationPage } from './configurationPage.ts'
import { errorsPage } from './errorsPage.ts'
import { httpPage } from './httpPage.ts'
import { includeFiles } from './includeFiles.ts'
import { cliPage, figuresPage, findingsPage, withRules } from './referencePages.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Every page of the site: its path, and its Markdown with the code that it shows. */
export function sitePages(): Map<string, string> {
  const protocol = protocolPages(readFileSync(join(root, 'PROTOCOL.md'), 'utf8'))
  const pages = new Map<string, string>()
  for (const path of readdirSync(join(root, 'docs/pages'), { recursive: true, encoding: 'utf8' })) {
    if (!/\.mdx?$/.test(path)) continue
    const text = readFileSync(join(root, 'docs/pages', path), 'utf8')
    pages.set(path.replaceAll('\\', '/'), includeFiles(path, text))
  }
  pages.set('contract/rules.md', withRules(pages.get('contract/rules.md') ?? ''))
  for (const [name, text] of protocol) pages.set(`protocol/${name}.md`, text)
  pages.set('reference/errors.md', errorsPage())
  pages.set('reference/findings.md', findingsPage())
  pages.set('reference/http.md', httpPage())
  pages.set('reference/cli.md', cliPage())
  pages.set('reference/configuration.md', configurationPage())
  pages.set('reference/figures.md', figuresPage())
  for (const [name, text] of apiPages()) pages.set(`reference/api/${name}.md`, text)
  const sections = sectionPages(new Map([...protocol, ['records', pages.get('protocol/records.md') ?? '']]))
  for (const [path, text] of pages) pages.set(path, withProtocolLinks(path, text, sections))
  return pages
}

/** Section number of PROTOCOL.md → page and anchor. The records are its section 11. */
function sectionPages(protocol: Map<string, string>): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, text] of protocol)
    for (const [, number = '', title = ''] of text.matchAll(/^##? (\d+(?:\.\d+)?)\.? (.*)$/gm))
      found.set(number, number.includes('.') ? `${name}.md#${slug(`${number} ${title}`)}` : `${name}.md`)
  return found
}

/** Points links to PROTOCOL.md, and `PROTOCOL.md 4.5` in a sentence, to the page of that section. */
function withProtocolLinks(path: string, text: string, sections: Map<string, string>): string {
  const folder = `${'../'.repeat(path.split('/').length - 1) || './'}protocol/`
  const link = (number: string, label: string) => {
    const page = sections.get(number)
    if (page === undefined) throw new Error(`${path}: PROTOCOL.md has no section ${number}.`)
    return `[${label}](${folder}${page})`
  }
  return text
    .split(/(^```[\s\S]*?^```)/m)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replaceAll(/\]\((?:\.\.\/)+PROTOCOL\.md#(\d)(\d?)-[\w-]+\)/g, (_, a: string, b: string) =>
              link(b === '' ? a : `${a}.${b}`, '').slice(1),
            )
            .replaceAll(/\]\((?:\.\.\/)+PROTOCOL\.md\)/g, `](${folder}overview.md)`)
            .replaceAll(/(?<!\[)\bPROTOCOL\.md (\d+(?:\.\d+)?)\b/g, (words, number: string) =>
              link(number, words),
            ),
    )
    .join('')
}

/** Divides PROTOCOL.md into a page for each section, and points its links to those pages. */
function protocolPages(protocol: string): Map<string, string> {
  const [intro = '', ...sections] = protocol.split(/^(?=## \d+\. )/m)
  const pages = new Map<string, string>([['overview', intro]])
  for (const section of sections) {
    const [, number = '', title = ''] = /^## (\d+)\. (.*)$/m.exec(section) ?? []
    pages.set(`${number}-${slug(title)}`, section.replaceAll(/^##(#*) /gm, '#$1 '))
  }
  const places = new Map<string, string>()
  for (const [name, text] of pages)
    for (const [, heading = ''] of text.matchAll(/^#+ (.*)$/gm)) places.set(slug(heading), name)
  for (const [name, text] of pages) pages.set(name, withLinks(text, { name, places }))
  return pages
}

function withLinks(text: string, { name, places }: { name: string; places: Map<string, string> }): string {
  return text
    .replaceAll(/\]\(#([\w-]+)\)/g, (link, anchor: string) => {
      const page = places.get(anchor)
      if (page === undefined) throw new Error(`PROTOCOL.md has no heading for ${link}.`)
      return page === name ? link : `](./${page}.md#${anchor})`
    })
    .replaceAll('](docs/pages/protocol/', '](./')
    .replaceAll('](docs/pages/', '](../')
}

/** The anchor of a heading, as GitHub and Rspress form it. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}
