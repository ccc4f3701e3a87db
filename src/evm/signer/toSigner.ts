import type { Address, Hex } from 'viem'
import { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { UserRejectedError, WalletFailedError, WrongSignerError } from '../../core/errors/walletErrors.ts'
import { bytesToHex } from '../bytes/bytesToHex.ts'
import { textToBytes } from '../bytes/textToBytes.ts'
import type { SignatureScheme } from '../signature/signatureScheme.ts'
import { checkAddress } from '../values/checkAddress.ts'
import type { EvmSigner, SignableTypedData } from './evmSigner.ts'
import { typedDataJson } from './typedDataJson.ts'

/** One way to ask, whatever the signer is. */
export type Signer = {
  /**
   * The account that signs, checksummed. Never prompts.
   *
   * @param wanted the account that is meant, when the wallet holds several
   */
  getAddress: (wanted?: Address) => Promise<Address>
  /** The chain that the wallet stands on; `undefined` when it stands on none or does not say. */
  getChainId: () => Promise<number | undefined>
  /** Asks once for a signature of typed data. `digest` is its hash. */
  signTypedData: (typedData: SignableTypedData, options: { address: Address; digest: Hex }) => Promise<Hex>
  /** Asks once for an EIP-191 signature of text. */
  signMessage: (message: string, options: { address: Address }) => Promise<Hex>
  /** How its signatures are told, when they are not those of a key or of a contract account. */
  signatures?: SignatureScheme | undefined
}

type Method = (...parameters: readonly unknown[]) => unknown
type Loose = Readonly<Record<string, unknown>>

/**
 * Makes one kind of signer out of a viem account, a wallet client, an EIP-1193 provider or an ethers v6 signer.
 *
 * A user's no becomes {@link UserRejectedError}, and nothing is asked again in another way.
 *
 * @throws {@link UnsupportedSignerError} when it is none of them, or a wallet client with a `fallback` transport
 * @example
 * ```ts
 * import { toSigner } from 'redeemkit/evm'
 * import { privateKeyToAccount } from 'viem/accounts'
 * const signer = toSigner(privateKeyToAccount(`0x${'01'.repeat(32)}`))
 * await signer.getAddress()
 * ```
 */
export function toSigner(signer: EvmSigner): Signer {
  if ((typeof signer !== 'object' && typeof signer !== 'function') || signer === null)
    throw unsupported(`${showValue(signer)} cannot sign.`)
  // everything is read by name and checked before it is used
  const loose = signer as unknown as Loose
  if (typeof loose.request === 'function') {
    const { account, chain, transport, uid } = loose
    if (isRecord(account) && typeof account.signTypedData === 'function')
      return accountSigner(account, isRecord(chain) ? chain.id : undefined)
    if (isRecord(transport) && transport.type === 'fallback')
      throw unsupported(
        'A fallback transport asks its next wallet after a no.',
        'Give the wallet client the transport of one wallet: custom(provider).',
      )
    const ofViem = isRecord(account) || isRecord(transport) || typeof uid === 'string'
    return providerSigner(loose, isRecord(account) ? account.address : loose.address, ofViem)
  }
  if (typeof loose.signTypedData === 'function' && typeof loose.signMessage === 'function') {
    const viemAccount = loose.type === 'local' || loose.type === 'smart'
    if (typeof loose.getAddress === 'function' && !viemAccount) return ethersSigner(loose)
    if (typeof loose.address === 'string') return accountSigner(loose, undefined)
  }
  throw unsupported(
    typeof loose._signTypedData === 'function'
      ? 'This is an ethers v5 signer.'
      : 'The signer has neither "request" nor "signTypedData" and "signMessage".',
  )
}

export declare namespace toSigner {
  type ErrorType = UnsupportedSignerError
}

function accountSigner(account: Loose, chainId: unknown): Signer {
  // a key that viem holds in memory signs the digest that we computed; other accounts want the typed data itself
  const { sign, source } = account
  const holdsKey =
    account.type === 'local' && (source === 'privateKey' || source === 'hd') && typeof sign === 'function'
  return {
    getAddress: async () => checkAddress(account.address, 'signer.address'),
    getChainId: async () => (typeof chainId === 'number' ? chainId : undefined),
    signTypedData: async (typedData, { digest }) =>
      checkAnswer(
        await (holdsKey
          ? ask(account, 'sign', { hash: digest })
          : ask(account, 'signTypedData', copyOf(typedData))),
      ),
    signMessage: async (message) => checkAnswer(await ask(account, 'signMessage', { message })),
    signatures: isRecord(account.signatures) ? (account.signatures as SignatureScheme) : undefined, // our own signers have one
  }
}

/** Some accounts take types out of what they are given, and ours are everybody's. */
const copyOf = (typedData: SignableTypedData) => ({ ...typedData, types: { ...typedData.types } })

function providerSigner(provider: Loose, preset: unknown, ofViem: boolean): Signer {
  const request = (method: string, params: readonly unknown[]) =>
    // viem's transports repeat what failed; a prompt is never repeated. Others may mean something else by a second argument.
    ofViem
      ? ask(provider, 'request', { method, params }, { retryCount: 0 })
      : ask(provider, 'request', { method, params })
  return {
    getAddress: async (wanted) => {
      const meant = preset === undefined ? wanted : checkAddress(preset, 'signer.address')
      const answer = await request('eth_accounts', [])
      if (!Array.isArray(answer)) throw invalidAnswer('eth_accounts', answer)
      const accounts = answer.map((account) => checkAddress(account, 'eth_accounts'))
      const [first] = accounts
      if (first === undefined)
        throw new WalletNotConnectedError('The wallet shows no account.', {
          field: 'signer',
          fix: 'Connect it first with eth_requestAccounts.',
          docs: 'EIP-1102',
        })
      if (meant === undefined || accounts.includes(meant)) return meant ?? first
      if (preset === undefined) return first
      throw new WrongSignerError(`The wallet does not show account ${meant}.`, {
        field: 'signer.address',
        fix: 'Choose this account in the wallet.',
      })
    },
    getChainId: async () => {
      const answer = await request('eth_chainId', [])
      const chainId = typeof answer === 'string' ? Number(answer) : answer
      if (typeof chainId !== 'number' || !Number.isSafeInteger(chainId) || chainId <= 0)
        throw invalidAnswer('eth_chainId', answer)
      return chainId
    },
    signTypedData: async (typedData, { address }) =>
      checkAnswer(await request('eth_signTypedData_v4', [address, typedDataJson(typedData)])),
    signMessage: async (message, { address }) =>
      checkAnswer(await request('personal_sign', [bytesToHex(textToBytes(message)), address])),
  }
}

function ethersSigner(signer: Loose): Signer {
  return {
    getAddress: async () => checkAddress(await ask(signer, 'getAddress'), 'signer.getAddress()'),
    getChainId: async () => {
      const { provider } = signer
      if (!isRecord(provider)) return undefined
      if (typeof provider.send === 'function') return Number(await ask(provider, 'send', 'eth_chainId', []))
      if (typeof provider.getNetwork !== 'function') return undefined
      const network = await ask(provider, 'getNetwork')
      return isRecord(network) ? Number(network.chainId) : undefined
    },
    signTypedData: async ({ domain, types, message }) => {
      const { EIP712Domain: _, ...own } = types
      return checkAnswer(await ask(signer, 'signTypedData', domain, own, message))
    },
    signMessage: async (message) => checkAnswer(await ask(signer, 'signMessage', message)),
  }
}

/** Calls a function of a wallet, and says in our words when it refuses or fails. */
export async function ask(target: Loose, name: string, ...parameters: readonly unknown[]): Promise<unknown> {
  try {
    // the caller has checked that there is such a function
    return await (target[name] as Method).call(target, ...parameters)
  } catch (cause) {
    // a signer of ours says itself what is wrong
    if (cause instanceof BaseError) throw cause
    if (isRejection(cause))
      throw new UserRejectedError('The user said no in the wallet.', {
        fix: 'Respect it: ask again only when the user starts again.',
        docs: 'EIP-1193',
        cause,
      })
    throw new WalletFailedError(`The wallet failed: ${reasonOf(cause)}`, {
      field: 'signer',
      fix: 'Look at the cause. Nothing was asked in another way.',
      cause,
    })
  }
}

/** Whether an error, or anything that it wraps, is a person's no. */
function isRejection(error: unknown): boolean {
  const seen = new Set<unknown>()
  const queue = [error]
  for (let next = queue.shift(); next !== undefined && seen.size < 16; next = queue.shift()) {
    if (!seen.has(next)) {
      seen.add(next)
      const { code, name, message, inner } = partsOf(next)
      if (code === 4001 || code === 5000 || code === 'ACTION_REJECTED') return true
      if (name === 'UserRejectedRequestError') return true
      if (typeof message === 'string' && refusal.test(message)) return true
      queue.push(...inner)
    }
  }
  return false
}

const refusal =
  /user (?:rejected|denied|cancell?ed|declined)|(?:rejected|denied|cancell?ed|declined) by (?:the )?user/i

/** What a foreign error says; one that is text says it itself, and one that breaks while it is read says nothing. */
function partsOf(error: unknown): { code?: unknown; name?: unknown; message?: unknown; inner: unknown[] } {
  if (!isRecord(error)) return { message: error, inner: [] }
  try {
    const { code, name, message, cause, error: wrapped, info, data, originalError } = error
    return { code, name, message, inner: [cause, wrapped, info, data, originalError].filter(isRecord) }
  } catch {
    return { inner: [] }
  }
}

/** One line of a foreign error. Long runs of hex are cut: they may be signatures or keys. */
function reasonOf(error: unknown): string {
  const { message } = partsOf(error)
  return (isRecord(error) && typeof message === 'string' ? message : showValue(error))
    .split('\n', 1)
    .join('')
    .replace(/([0-9a-fA-F]{8})[0-9a-fA-F]{33,}/g, '$1…')
    .slice(0, 160)
}

function checkAnswer(answer: unknown): Hex {
  if (typeof answer === 'string' && /^0x(?:[0-9a-fA-F]{2})+$/.test(answer)) {
    // the pattern has just proved the 0x that the type asks for
    return answer as Hex
  }
  throw invalidAnswer('the request to sign', answer)
}

function invalidAnswer(question: string, answer: unknown) {
  return new InvalidWalletAnswerError(`The wallet answered ${question} with ${showValue(answer, 24)}.`, {
    field: 'signer',
    fix: 'Use a wallet that follows EIP-1193.',
    docs: 'EIP-1193',
  })
}

function unsupported(
  message: string,
  fix = 'Give a viem account, a viem or wagmi wallet client, an EIP-1193 provider, or an ethers v6 signer.',
) {
  return new UnsupportedSignerError(message, { field: 'signer', fix })
}

// an object or a function has fields that can be read by name
const isRecord = (value: unknown): value is Loose =>
  (typeof value === 'object' || typeof value === 'function') && value !== null

/** The wallet shows no account to this page. */
export class WalletNotConnectedError extends BaseError {
  override readonly name = 'WalletNotConnectedError'
}

/** The wallet answered something that is not an answer. */
export class InvalidWalletAnswerError extends BaseError {
  override readonly name = 'InvalidWalletAnswerError'
}

/** An object that is no signer. */
export class UnsupportedSignerError extends BaseError {
  override readonly name = 'UnsupportedSignerError'
}
