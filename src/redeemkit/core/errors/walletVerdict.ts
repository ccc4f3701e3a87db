export type WalletVerdict = 'rejected' | 'pending' | 'unconnected' | 'otherChain' | 'windowBlocked'

/**
 * Reads a wallet's error and the errors that it wraps. A rejection by the user takes precedence.
 *
 * Uses error codes (EIP-1193, EIP-1474, WalletConnect, ethers, Ledger), otherwise the known messages of wallets. `rejected by the network`
 * is not a rejection by the user. A message without an actor (`Request rejected`) is one only if it says nothing else.
 */
export function walletVerdict(error: unknown): WalletVerdict | undefined {
  const parts = partsOf(error)
  const has = (pattern: RegExp) => parts.some(({ texts }) => texts.some((text) => pattern.test(text)))
  // Brave and Frame also return the code of a rejection before they ask the user.
  if (has(/already in progress/i)) return 'pending'
  if (has(withoutFrame)) return 'unconnected'
  // MetaMask returns the code of a missing permission (MetaMask/metamask-extension, issue 32162)
  if (has(/request blocked .{1,40}\bspam\b/i)) return undefined
  if (parts.some(isRejection)) return 'rejected'
  const says = (code: number, pattern: RegExp) => parts.some((part) => part.code === code) || has(pattern)
  if (says(-32002, pending)) return 'pending'
  if (says(4100, unconnected) || says(4900, unconnected)) return 'unconnected'
  if (says(4901, otherChain)) return 'otherChain'
  if (has(windowBlocked)) return 'windowBlocked'
  return undefined
}

const withoutFrame = /\bapprove .{1,120} in Frame to continue|\bno Frame account\b/i
/** Busy wallets and devices. */
const pending = /already (?:pending|processing)|device (?:is busy|call in progress)/i
/** Includes MetaMask after an update and Rabby after an account switch. */
const unconnected =
  /must call '?eth_requestAccounts|connector not connected|^no matching key\b|session currently disconnected|record was recently deleted|^user disconnected\b|call connect\(\) before|disconnected from (?:\w+ background|chain\b)|from should be same as current address/i
/** The last alternative is a WalletConnect session that does not include the chain. */
const otherChain = /chain ?id.{1,40} mush?t match|chain ?id[ ._-]?mismatch|request\(\) chainId: eip155:/i
const windowBlocked = /pop-? ?up(?: window)? (?:failed to open|(?:was |is )?blocked)/i

type Part = { code: unknown; name: unknown; texts: string[] }

const keys = [
  'cause',
  'error',
  'info',
  'data',
  'originalError',
  'innerError',
  'reason',
  'details',
  'message',
  'stack',
]

/** Lists an error and the errors that it wraps, outermost first. Skips parts that throw when they are read. */
function partsOf(error: unknown): Part[] {
  const parts: Part[] = []
  const queue: unknown[] = [error]
  for (let at = 0; at < queue.length && at < 32; at++) {
    const value = queue[at]
    if (typeof value === 'string')
      parts.push({ code: undefined, name: undefined, texts: [value.slice(0, 2_000)] })
    else if (typeof value === 'object' && value !== null)
      try {
        // Each field is checked.
        const fields = value as Readonly<Record<string, unknown>>
        const texts: string[] = []
        for (const key of keys) {
          const field = fields[key]
          // some wallets put the message only at the start of the stack (MetaMask/metamask-extension, issue 7160)
          if (typeof field === 'string') texts.push(key === 'stack' ? headOf(field) : field.slice(0, 2_000))
          else if (!queue.includes(field)) queue.push(field)
        }
        parts.push({ code: fields.code ?? fields.statusCode, name: fields.name, texts })
      } catch {
        // The other parts of the error still count.
      }
  }
  return parts
}

const headOf = (stack: string) => stack.slice(0, 2_000).split('\n', 1).join('')

/** 4001 (EIP-1193), 5000 to 5003 (WalletConnect), 0x6985 and 0x5501 (Ledger), `ACTION_REJECTED` (ethers). */
const rejectionCodes: readonly unknown[] = [
  4001,
  '4001',
  5000,
  5001,
  5002,
  5003,
  0x6985,
  0x5501,
  'ACTION_REJECTED',
]
const rejectionNames: readonly unknown[] = ['UserRejectedRequestError', 'UserRefusedOnDevice']

const ending = '(?:ed|e|ied|s)?'
const no = `(?:reject|den[iy]|cancell?|declin|refus|dismiss)${ending}`
const left = `(?:${no}|(?:abort|clos|exit|disapprov)${ending})`
/** "user" as the subject or after "by". Excludes the text of an aborted `fetch`; includes Chrome's text for a cancelled passkey. */
const userSays = new RegExp(
  `(?<![a-z])(?!user aborted a request)user[\\s_-]+(?:has[\\s_]+)?${left}(?![a-z])(?! by )|(?<![a-z])${left}[ _]by[ _](?:the )?user(?![-'’\\w]|\\.\\w| (?:op|time))|either timed out or was not allowed`,
  'i',
)
const onlyRejection = new RegExp(
  `^(?:\\W*\\b(?:the|your|error|failed|to|sign|signing|signed|signature|connection request|request|message|typed|data|transaction|tx|action|operation|was|is|has|been|please|try|again|retry|reset|keyring controller \\w+|keystoneerror#tx_canceled|pin|entry|(?:popup|modal|window)(?: was)? closed|${no})\\b)+\\W*$`,
  'i',
)
const anyRejection = new RegExp(`\\b(?:${no}|closed|request reset)\\b`, 'i')

/** Networks and nodes also say "rejected" and "canceled". Does not match Trezor's error codes. */
const notOfWallet = /abort|timeout|(?<!Failure_(?:Action|Pin))cancell?ed|^ERR_|^-32003$/i

function isRejection({ code, name, texts }: Part): boolean {
  if (rejectionCodes.includes(code) || rejectionNames.includes(name)) return true
  // Split a single word such as `rejectedByUser` (vultisig/vultisig-windows, issue 3928).
  if (texts.some((text) => userSays.test(/^\w+$/.test(text) ? spaced(text) : text))) return true
  if (notOfWallet.test(String(name)) || notOfWallet.test(String(code))) return false
  return texts.some((text) => text.length < 120 && onlyRejection.test(text) && anyRejection.test(text))
}

const spaced = (word: string) => word.replace(/([a-z])([A-Z])/g, '$1 $2')
