import type { Address, Hex } from 'viem'
import { BaseError } from '../../core/errors/baseError.ts'
import { describeType, showValue } from '../../core/errors/showValue.ts'
import { WrongSignerError } from '../../core/errors/walletErrors.ts'
import { jsonText } from '../../core/parseJson.ts'
import { checkAddress } from '../checkAddress.ts'
import type { SignatureScheme } from '../signature/signatureScheme.ts'
import type { TypedDataDomain, TypedDataMember } from '../typedData.ts'
import { isHex } from '../values.ts'
import { stringToHex } from '../viem.ts'
import { askWallet, type Loose, notConnected } from './askWallet.ts'

/** Typed data to sign: complete and checked, with integers as bigints. */
export type SignableTypedData = {
  domain: TypedDataDomain
  types: Readonly<Record<string, readonly TypedDataMember[]>>
  primaryType: string
  message: object
}

// The types below use method syntax with parameters of type `never`, so that each library's more precise types are assignable. Only
// `toSigner` calls these methods.

/** A viem account, local or smart. */
export type AccountSigner = {
  address: Address
  signTypedData(parameters: never): Promise<Hex>
  signMessage(parameters: never): Promise<Hex>
}

/** An EIP-1193 provider. `address` selects one of its accounts. Default: the first account. */
export type ProviderSigner = {
  request(request: never, options?: never): Promise<unknown>
  address?: Address | undefined
}

/** A viem wallet client. */
export type WalletClientSigner = {
  request(request: never, options?: never): Promise<unknown>
  account?: { address: Address } | undefined
  chain?: { id: number } | undefined
}

/** An ethers v6 signer. */
export type EthersSigner = {
  getAddress(): Promise<string>
  signTypedData(domain: never, types: never, value: never): Promise<string>
  signMessage(message: never): Promise<string>
}

/** A viem account, a viem or wagmi wallet client, an EIP-1193 provider, or an ethers v6 signer. */
export type EvmSigner = AccountSigner | WalletClientSigner | ProviderSigner | EthersSigner

/** The common interface of all signers. */
export type Signer = {
  /**
   * Returns the account that signs, checksummed. Never prompts.
   *
   * @param wanted the account to use, if the wallet has several
   */
  getAddress: (wanted?: Address) => Promise<Address>
  /** Returns the wallet's chain id; `undefined` if the wallet has no chain or does not report it. */
  getChainId: () => Promise<number | undefined>
  /** Returns false if the account is an EOA: the signer holds its key, or the signer's node reports no code. Never prompts. */
  mayBeContract: (address: Address) => Promise<boolean>
  /** Returns the wallet's response to `wallet_getCapabilities` (EIP-5792). Never prompts. Absent if the request could open an app. */
  getCapabilities?: ((account: { address: Address; chainId: number }) => Promise<unknown>) | undefined
  /**
   * Asks once to sign typed data. `digest` is its EIP-712 hash. A Safe whose owners approve on chain returns `0x`. `redeemIntent` is the
   * purchase, for a wallet that announces the capability (PROTOCOL.md 4.7).
   */
  signTypedData: (
    typedData: SignableTypedData,
    options: { address: Address; digest: Hex; redeemIntent?: object | undefined },
  ) => Promise<Hex>
  /** Asks once to sign text (EIP-191). */
  signMessage: (message: string, options: { address: Address }) => Promise<Hex>
  /** Returns the factory of a smart account that is not deployed yet, if the signer knows it. Never prompts. */
  getFactory?: (() => Promise<unknown>) | undefined
  /** Scheme that verifies the signer's signatures if their type exists only on its chain. */
  signatures?: SignatureScheme | undefined
}

/**
 * Converts a viem account, a wallet client, an EIP-1193 provider or an ethers v6 signer to one common interface.
 *
 * If the user rejects a request, it throws UserRejectedError, and never asks the wallet again with another method.
 *
 * @throws {@link UnsupportedSignerError} for any other value, and for a wallet client with a `fallback` transport
 * @example
 * ```ts
 * import { toSigner } from 'redeemkit/evm'
 * import { privateKeyToAccount } from 'viem/accounts'
 * const signer = toSigner(privateKeyToAccount(`0x${'01'.repeat(32)}`))
 * await signer.getAddress()
 * ```
 */
export function toSigner(signer: EvmSigner): Signer {
  try {
    return readSigner(signer)
  } catch (error) {
    throw error instanceof UnsupportedSignerError ? error : unsupported('The signer cannot be read.')
  }
}

export declare namespace toSigner {
  type ErrorType = UnsupportedSignerError
}

function readSigner(signer: EvmSigner): Signer {
  if ((typeof signer !== 'object' && typeof signer !== 'function') || signer === null)
    throw unsupported(`The signer is ${describeType(signer)}, which cannot sign.`)
  // each field is checked before it is used
  const loose = signer as unknown as Loose
  if (typeof loose.request === 'function') {
    const { account, chain, transport, uid } = loose
    if (hasFields(account) && typeof account.signTypedData === 'function')
      return accountSigner(account, hasFields(chain) ? chain.id : undefined)
    if (hasFields(transport) && transport.type === 'fallback')
      throw unsupported(
        'A fallback transport asks its next wallet after a rejection.',
        "Create the wallet client with one wallet's transport: custom(provider).",
      )
    const ofViem = hasFields(account) || hasFields(transport) || typeof uid === 'string'
    // Every WalletConnect request opens the wallet's app, and an HTTP transport connects to a server, not a wallet.
    const isAskable = ofViem
      ? hasFields(transport) && transport.type === 'custom'
      : loose.isWalletConnect !== true
    return providerSigner(loose, hasFields(account) ? account.address : loose.address, { ofViem, isAskable })
  }
  if (typeof loose.signTypedData === 'function' && typeof loose.signMessage === 'function') {
    const viemAccount = loose.type === 'local' || loose.type === 'smart'
    if (typeof loose.getAddress === 'function' && !viemAccount) return ethersSigner(loose)
    if (typeof loose.address === 'string') return accountSigner(loose, undefined)
  }
  if (typeof loose.then === 'function') throw unsupported('The signer is a promise.', 'Await it first.')
  throw unsupported(
    typeof loose._signTypedData === 'function'
      ? 'This is an ethers v5 signer.'
      : 'The signer has neither "request" nor "signTypedData" and "signMessage".',
  )
}

function accountSigner(account: Loose, chainId: unknown): Signer {
  // viem's in-memory keys sign the digest; other accounts need the typed data
  const { sign, source } = account
  const holdsKey =
    account.type === 'local' && (source === 'privateKey' || source === 'hd') && typeof sign === 'function'
  return {
    getAddress: async () => checkAddress(account.address, 'signer.address'),
    getChainId: async () => (typeof chainId === 'number' ? chainId : undefined),
    mayBeContract: async () => account.type !== 'local',
    signTypedData: async (typedData, { digest }) =>
      checkAnswer(
        await (holdsKey
          ? askWallet(account, 'sign', { hash: digest })
          : askWallet(account, 'signTypedData', copyOf(typedData))),
      ),
    signMessage: async (message) => checkBytes(await askWallet(account, 'signMessage', { message })),
    ...(typeof account.getFactoryArgs === 'function' && {
      getFactory: async () => Object(await askWallet(account, 'getFactoryArgs')).factory,
    }),
    // redeemkit's own signers have a scheme
    signatures: hasFields(account.signatures) ? (account.signatures as SignatureScheme) : undefined,
  }
}

/** Copies typed data, because some accounts delete types from their argument, and the types are shared. */
const copyOf = (typedData: SignableTypedData) => ({ ...typedData, types: { ...typedData.types } })

function providerSigner(
  provider: Loose,
  preset: unknown,
  { ofViem, isAskable }: { ofViem: boolean; isAskable: boolean },
): Signer {
  const request = (method: string, params: readonly unknown[]) =>
    // viem's transports retry failed requests, but a prompt must never be repeated. Only viem gets this second argument, because other
    // libraries may define it differently.
    ofViem
      ? askWallet(provider, 'request', { method, params }, { retryCount: 0 })
      : askWallet(provider, 'request', { method, params })
  return {
    getAddress: async (wanted) => {
      const meant = preset === undefined ? wanted : checkAddress(preset, 'signer.address')
      const answer = await request('eth_accounts', [])
      if (!Array.isArray(answer)) throw invalidAnswer('eth_accounts', showValue(answer))
      const accounts = answer.map((account) => checkAddress(account, 'eth_accounts'))
      const [first] = accounts
      if (first === undefined) throw notConnected('The wallet has no connected account.')
      const shown = accounts.find((one) => one === meant)
      if (shown !== undefined || preset === undefined) return shown ?? first
      throw new WrongSignerError(`The wallet does not list account ${meant}.`, {
        field: 'signer.address',
        fix: 'Select this account in the wallet.',
      })
    },
    getChainId: async () => {
      const answer = await request('eth_chainId', [])
      const chainId = typeof answer === 'string' ? Number(answer) : answer
      if (typeof chainId !== 'number' || !Number.isSafeInteger(chainId) || chainId <= 0)
        throw invalidAnswer('eth_chainId', showValue(answer))
      return chainId
    },
    mayBeContract: (address) => mayHaveCode(() => request('eth_getCode', [address, 'latest'])),
    ...(isAskable && {
      getCapabilities: ({ address, chainId }) =>
        request('wallet_getCapabilities', [address, [`0x${chainId.toString(16)}`]]),
    }),
    signTypedData: async (typedData, { address, redeemIntent }) =>
      checkAnswer(
        await request('eth_signTypedData_v4', [
          address,
          typedDataJson(typedData),
          ...(redeemIntent ? [{ redeemIntent }] : []),
        ]),
      ),
    signMessage: async (message, { address }) =>
      checkBytes(await request('personal_sign', [stringToHex(message), address])),
  }
}

function ethersSigner(signer: Loose): Signer {
  return {
    getAddress: async () => checkAddress(await askWallet(signer, 'getAddress'), 'signer.getAddress()'),
    getChainId: async () => {
      const { provider } = signer
      if (!hasFields(provider)) return undefined
      if (typeof provider.send === 'function')
        return Number(await askWallet(provider, 'send', 'eth_chainId', []))
      if (typeof provider.getNetwork !== 'function') return undefined
      const network = await askWallet(provider, 'getNetwork')
      return hasFields(network) ? Number(network.chainId) : undefined
    },
    mayBeContract: async (address) => {
      // only ethers wallets that hold their key have a `signingKey`
      if ('signingKey' in signer) return false
      const { provider } = signer
      return hasFields(provider) && typeof provider.getCode === 'function'
        ? mayHaveCode(() => askWallet(provider, 'getCode', address))
        : true
    },
    signTypedData: async ({ domain, types, message }) => {
      const { EIP712Domain: _, ...own } = types
      return checkAnswer(await askWallet(signer, 'signTypedData', domain, own, message))
    },
    signMessage: async (message) => checkBytes(await askWallet(signer, 'signMessage', message)),
  }
}

/** True if the node does not respond. */
async function mayHaveCode(readCode: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await readCode()) !== '0x'
  } catch {
    return true
  }
}

function checkAnswer(answer: unknown): Hex {
  if (isHex(answer)) return answer
  // some wallets omit the 0x prefix
  if (typeof answer === 'string' && /^(?:[0-9a-fA-F]{2}){64,}$/.test(answer)) return `0x${answer}`
  throw invalidAnswer('the request to sign', answer === '' ? 'no bytes' : describeType(answer))
}

/** Checks a signature that serves as a credential. Refuses `0x`, because anyone could send that. */
function checkBytes(answer: unknown): Hex {
  const signature = checkAnswer(answer)
  if (signature === '0x') throw invalidAnswer('the request to sign', 'no bytes')
  return signature
}

export function invalidAnswer(question: string, shown: string) {
  return new InvalidWalletAnswerError(`The wallet answered ${question} with ${shown}.`, {
    field: 'signer',
    fix:
      shown === 'no bytes'
        ? 'A Safe returns no bytes while owners must still sign, or if they approve on chain. Wait for the owners, and pass a `client`.'
        : 'Use a wallet that follows EIP-1193.',
    source: 'EIP-1193',
  })
}

function unsupported(
  message: string,
  fix = 'Pass a viem account, a viem or wagmi wallet client, an EIP-1193 provider, or an ethers v6 signer.',
) {
  return new UnsupportedSignerError(message, { field: 'signer', fix })
}

// functions can have fields, too
const hasFields = (value: unknown): value is Loose =>
  (typeof value === 'object' || typeof value === 'function') && value !== null

/** The wallet returned an invalid response. */
export class InvalidWalletAnswerError extends BaseError {
  override readonly name = 'InvalidWalletAnswerError'
}

/** The object is not a supported signer. */
export class UnsupportedSignerError extends BaseError {
  override readonly name = 'UnsupportedSignerError'
}

/** Serializes typed data for `eth_signTypedData_v4`. The message's integers become decimal text (EIP-712). */
export function typedDataJson(typedData: SignableTypedData): string {
  const { domain, types, primaryType, message } = typedData
  return jsonText({ domain, message, primaryType, types })
}
