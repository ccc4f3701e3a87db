import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { checkBlockchain, checkHeader, checkWallet } from './clientOptions.ts'
import { type Call, type CallClient, keyOfMessage } from './paymentsClient.ts'
import { readSessionKey } from './readSessionKey.ts'
import { send, type sendOnce } from './send.ts'

export async function sendCall<answer>(call: Call<answer>, client: CallClient): Promise<answer> {
  const { options, names, store, baseUrl } = client
  const { headers: kind } = call
  let used: string | undefined
  return send(call, {
    options,
    url: baseUrl + call.path,
    headers: async (fresh) => {
      const headers = await callHeaders(call, client, fresh ? used : undefined)
      used = headers.secret[names.sessionKey]
      return headers
    },
    secrets: () => [...store.secrets, ...(call.secrets ?? [])],
    // only a function can provide a new key
    refreshable: typeof options.sessionKey === 'function' && kind !== 'none' && kind !== 'wallet',
    forgetKey: () => {
      store.sessionKey = undefined
    },
  })
}

/** Without a wallet, the session key alone identifies the customer (PROTOCOL.md 1.2, 1.3). */
async function callHeaders(
  call: Call,
  { options, names, store, site }: CallClient,
  staleKey: string | undefined,
): Promise<sendOnce.Headers> {
  const { now = Date.now } = options
  const { headers = 'all' } = call
  const plain: Record<string, string> = { accept: 'application/json' }
  const secret: Record<string, string> = {}
  if (call.body !== undefined) plain['content-type'] = 'application/json'
  if (call.device && options.deviceId !== undefined) plain[names.deviceId] = options.deviceId
  if (headers === 'none') return { plain, secret }
  const on = call.blockchain ?? options.blockchain
  checkBlockchain(on)
  const { last } = store
  const who =
    call.wallet ?? options.wallet ?? (last?.blockchain === on && last.site === site ? last.wallet : undefined)
  const isForWallet = headers === 'wallet' || call.needsWallet || call.signedMessage !== undefined
  if (who === undefined && (isForWallet || options.sessionKey === undefined))
    throw new InvalidOptionError(
      isForWallet
        ? 'This call needs a wallet.'
        : 'This call needs a wallet or a session key to identify the customer.',
      {
        field: 'wallet',
        fix: `Pass \`wallet\` to the client or the call, or log in first${isForWallet ? '' : ', or pass `sessionKey` to the client'}.`,
      },
    )
  if (who !== undefined) {
    checkWallet(who, on)
    plain[names.wallet] = who
    plain[names.blockchain] = on
  }
  for (const field of ['userId', 'clientIp'] as const) {
    const text = call.more?.[field]
    checkHeader(text, field)
    if (text !== undefined) plain[names[field]] = text
  }
  checkHeader(call.signedMessage, 'signedMessage')
  if (call.signedMessage !== undefined) {
    secret[names.signedMessage] = call.signedMessage
    store.secrets.add(call.signedMessage)
  }
  if (headers === 'wallet') return { plain, secret }
  const kept =
    who === undefined || headers === 'session'
      ? undefined
      : store.signedMessages.get(keyOfMessage(site, { wallet: who, blockchain: on }))
  if (kept && call.signedMessage === undefined && (kept.expiresAt ?? Infinity) * 1000 > now())
    secret[names.signedMessage] = kept.signedMessage
  const key = await readSessionKey(store, options.sessionKey, staleKey)
  if (key !== undefined) secret[names.sessionKey] = key
  for (const text of Object.values(secret)) store.secrets.add(text)
  return { plain, secret }
}
