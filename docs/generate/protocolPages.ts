/** Divides PROTOCOL.md into a page for each section, and leads its links to those pages. */
export function protocolPages(protocol: string): Map<string, string> {
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
export function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}
