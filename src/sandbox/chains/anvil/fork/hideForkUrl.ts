/**
 * Takes the address of the fork origin, which may carry a key, out of what Anvil says at its start, or the endpoint itself: every
 * form of the address, and each part of it that may be a key, however its characters are written.
 */
export function hideForkUrl(text: string, forkUrl: string | undefined): string {
  if (forkUrl === undefined) return text
  const url = new URL(forkUrl)
  const { hostname } = url
  // An address of that host, with a key or with another form of it.
  const sameHost = new RegExp(`\\w+://[^\\s"'<>()]*${escaped(hostname)}[^\\s"'<>()]*`, 'gi')
  let hidden = hideAddress(text, forkUrl).replace(sameHost, mark)
  for (const part of partsOf(url))
    for (const form of formsOf(part)) hidden = hidden.replace(new RegExp(escaped(form), 'gi'), '<hidden>')
  return hidden
}

/** The same for an answer of the node: what it tells of the chain stays to the letter, and an error may quote the endpoint. */
export function hideForkUrlInAnswer(tail: string, forkUrl: string | undefined): string {
  if (forkUrl === undefined) return tail
  return tail.startsWith('"error"') ? hideForkUrl(tail, forkUrl) : hideAddress(tail, forkUrl)
}

function hideAddress(text: string, forkUrl: string): string {
  const { href } = new URL(forkUrl)
  let hidden = text
  for (const form of [forkUrl, href, href.replace(/\/$/, '')]) hidden = hidden.replaceAll(form, mark)
  return hidden
}

const mark = '<fork url>'

/** What may be a key: user and password, the parts of the path, the values of the query, long names in the host. */
function partsOf({ username, password, pathname, search, hostname, hash }: URL): string[] {
  const parts = [
    ...pathname.split('/'),
    ...search.slice(1).split(/[&=]/),
    ...hash.slice(1).split(/[&=]/),
    ...hostname.split('.').filter((label) => label.length >= 20),
    Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64'),
  ].filter((part) => part.length >= shortestKey)
  // The longest first: a shorter one may be a piece of it. A password may be short.
  return [...parts, username, password].filter(Boolean).sort((a, b) => b.length - a.length)
}

/** `v2`, `rpc`, `main` are words, not keys. */
const shortestKey = 6

function formsOf(part: string): Set<string> {
  const plain = decoded(part)
  return new Set([part, plain, encodeURIComponent(plain), JSON.stringify(plain).slice(1, -1)])
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // a percent sign that begins no character
    return text
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
