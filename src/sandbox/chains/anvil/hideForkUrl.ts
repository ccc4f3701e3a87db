/** Takes the address of the fork origin, which may carry a key, out of a text: of Anvil's words, and of its answers. */
export function hideForkUrl(text: string, forkUrl: string | undefined): string {
  if (forkUrl === undefined) return text
  const { href } = new URL(forkUrl)
  let hidden = text
  for (const form of [forkUrl, href, href.replace(/\/$/, '')]) hidden = hidden.replaceAll(form, '<fork url>')
  return hidden
}
