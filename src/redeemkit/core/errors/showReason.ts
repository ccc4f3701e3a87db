import { showText } from './showText.ts'

/**
 * What a foreign error says, as an error of ours quotes it: one line, short, and without what may be a secret.
 *
 * Of the address of a page or a node its host remains; tokens, phrases of words, and long words with digits in them, as keys,
 * seeds and signatures are, go as a whole, before anything is shortened. An EVM address stays.
 */
export function showReason(text: string, maxLength = 120): string {
  const clean = text
    .slice(0, 4_000)
    .replace(/([a-z][a-z+.-]{0,20}:\/\/)([^\s"']*)/gi, (_, scheme, rest) => scheme + hostOf(rest))
    .replace(/eyJ[\w-]+(?:\.[\w-]+)*/g, '…')
    .replace(/(?:\b[a-z]{3,8}\s+){11,}[a-z]{3,8}\b/g, '…')
    .replace(/[\w+/=-]{20,}/g, (word) => (isAddress.test(word) || !/\d.*\d/.test(word) ? word : '…'))
  return showText(clean, maxLength)
}

/** Without a user, a path or a query: any of them may be a key. */
function hostOf(rest: string): string {
  const [authority = ''] = rest.split(/[/?#\\]/, 1)
  return authority.slice(authority.lastIndexOf('@') + 1)
}

const isAddress = /^0x[0-9a-f]{40}$/i
