import type { Address, Hex, TypedDataDefinition } from 'viem'
import { attempt } from '../../core/attempt.ts'
import type { InvalidAddressError, InvalidSignatureError } from '../../core/errors/inputErrors.ts'
import { WrongSignatureError, WrongSignerError } from '../../core/errors/walletErrors.ts'
import { checkAddress } from '../checkAddress.ts'
import { type ChainReadError, callContract, type EvmClient, hasCode } from '../client.ts'
import { isTempoChain } from '../networks.ts'
import { checkContractSignature } from '../signature/checkContractSignature.ts'
import { classifySignature, normalizeSignature } from '../signature/normalizeSignature.ts'
import {
  type SignatureScheme,
  type SignatureSchemeMissingError,
  schemeMissing,
  schemeOn,
} from '../signature/signatureScheme.ts'
import { recoverSigner } from '../signature/verifyDigest.ts'
import type { InvalidHexError } from '../values.ts'
import { hashTypedData } from '../viem.ts'
import { type askWallet, otherChain } from './askWallet.ts'
import {
  type EvmSigner,
  type InvalidWalletAnswerError,
  invalidAnswer,
  type SignableTypedData,
  type Signer,
  toSigner,
  type UnsupportedSignerError,
} from './toSigner.ts'

/**
 * Asks a signer to sign checked typed data, after comparing its account and chain. With a client, verifies the signature on chain, and
 * normalizes it if the account has no code. Without a client, checks it as far as possible and returns it unchanged (PROTOCOL.md 5.3).
 */
export async function signTypedData(signer: EvmSigner, options: signTypedData.Options): Promise<Hex> {
  const { typedData, address, addressField, client } = options
  // viem's type would infer the message from the types
  const digest = hashTypedData(typedData as TypedDataDefinition)
  const wallet = toSigner(signer)
  const { chainId } = typedData.domain
  const checked = checkWallet(wallet, { address, addressField, chainId })
  // account, chain and capabilities are requested at the same time
  const announced = options.redeemIntent && takesIntent(wallet, { address, chainId })
  await checked
  const redeemIntent = announced && (await inTime(announced, patienceMs)) ? options.redeemIntent : undefined
  await options.onPrompt?.()
  const answer = await wallet.signTypedData(typedData, { address, digest, redeemIntent })
  const signature = client
    ? answer
    : await withoutChainId(answer, { address, chainId, recover: (plain) => recoverSigner(digest, plain) })
  await options.onSigned?.(signature)
  if (client === undefined) return checkOffline(wallet, { address, digest, signature })
  return checkSignature(client, {
    address,
    digest,
    signature,
    chainId,
    signatures: options.signatures ?? wallet.signatures,
  })
}

export declare namespace signTypedData {
  type Options = {
    typedData: SignableTypedData
    address: Address
    /** The name of `address` in errors. */
    addressField: string
    client?: EvmClient | undefined
    /** Verifies signature types that only one chain has. Default: the signer's own scheme. */
    signatures?: SignatureScheme | undefined
    /** The purchase to disclose to a wallet that announces the capability for it (PROTOCOL.md 4.7). */
    redeemIntent?: object | undefined
    /** Called and awaited directly before the wallet prompts the user. If it throws, signing stops with that error. */
    onPrompt?: (() => void | Promise<void>) | undefined
    /** Called and awaited with the wallet's signature before it is verified: the caller can store it even if the node fails. */
    onSigned?: ((signature: Hex) => void | Promise<void>) | undefined
  }
  type ErrorType =
    | checkWallet.ErrorType
    | schemeOn.ErrorType
    | ChainReadError
    | InvalidHexError
    | InvalidSignatureError
    | SignatureSchemeMissingError
    | UnsupportedSignerError
    | WrongSignatureError
}

/** Refuses a wallet that signs for another account, or is on another chain. */
export async function checkWallet(wallet: Signer, options: checkWallet.Options): Promise<void> {
  const { address, addressField, chainId, chainField = 'domain.chainId' } = options
  // request both at the same time: a browser opens a mobile wallet only directly after a click
  const account = wallet.getAddress(address)
  const chain = wallet.getChainId()
  // if there is no account, that error is reported, so an error of the chain must not become an unhandled rejection
  chain.catch(() => undefined)
  const own = await account
  if (own !== address)
    throw new WrongSignerError(`The wallet signs for ${own}, but ${addressField} is ${address}.`, {
      field: addressField,
      fix: 'Select the right account in the wallet, or prepare the request for the selected account.',
    })
  const ownChain = await chain
  if (ownChain !== undefined && ownChain !== chainId)
    throw otherChain(`The wallet is on chain ${ownChain}, but the request is for chain ${chainId}.`, {
      field: chainField,
    })
}

export declare namespace checkWallet {
  type Options = {
    address: Address
    /** The name of `address` in errors. */
    addressField: string
    chainId: number
    /** The name of `chainId` in errors. Default `domain.chainId`. */
    chainField?: string | undefined
  }
  type ErrorType = WrongSignerError | InvalidAddressError | InvalidWalletAnswerError | askWallet.ErrorType
}

/**
 * Some wallets return typed-data signatures with the `v` of a transaction, `35 + 2 * chainId + yParity` (EIP-155), which may need several
 * bytes. If the account's key made the signature, replaces that `v` with 27 or 28. Leaves any other bytes unchanged.
 */
export async function withoutChainId(
  signature: Hex,
  how: { address: Address; chainId: number; recover: (plain: Hex) => Promise<Address | undefined> },
): Promise<Hex> {
  const long = Number(`0x${signature.slice(130) || 0}`)
  const v = [27, 28].find((one) => one + 8 + 2 * how.chainId === long)
  if (v === undefined) return signature
  const plain: Hex = `${signature.slice(0, 130) as Hex}${v.toString(16)}`
  return (await how.recover(plain)) === how.address ? plain : signature
}

/**
 * Checks a signature without a client. Accepts 64 or 65 bytes that recover to the account. If the bytes recover to another address, refuses
 * them only for an EOA, whose signer holds the key or whose node reports no code. Accepts any other bytes except `0x`, because a contract
 * account may accept them.
 */
async function checkOffline(
  wallet: Signer,
  { address, digest, signature }: { address: Address; digest: Hex; signature: Hex },
): Promise<Hex> {
  const kind = classifySignature(signature)
  if (kind === 'empty') throw invalidAnswer('the request to sign', 'no bytes')
  if (kind !== 'packed' && kind !== 'compact') return signature
  if ((await recoverSigner(digest, signature)) === address || (await wallet.mayBeContract(address)))
    return signature
  throw wrongSignature(address)
}

function wrongSignature(
  address: Address,
  field = 'signature',
  reason = '',
  fix = 'Check which account the wallet signs with. Nothing was sent.',
): WrongSignatureError {
  return new WrongSignatureError(`The bytes are not a signature by ${address}.${reason}`, { field, fix })
}

/** Verifies a signature on chain, and normalizes it if the account has no code. */
export async function checkSignature(client: EvmClient, options: checkSignature.Options): Promise<Hex> {
  const { address, digest, chainId, field = 'signature' } = options
  const scheme = schemeOn(chainId, options.signatures)
  const unaided = scheme === undefined && isTempoChain(chainId)
  const recover = (packed: Hex) => recoverOnChain(client, digest, packed)
  const given = await withoutChainId(options.signature, { address, chainId, recover })
  let reason = ''
  if (scheme !== undefined) {
    const question = { account: address, digest, signature: canonicalKey(given) }
    const { valid, message } = await scheme.verifyOnChain(client, question)
    if (valid) return question.signature
    if (message !== undefined) reason = ` ${message}`
  } else if (unaided) {
    // before calling the account's code: on Tempo an ordinary account may have code that cannot verify signatures
    const packed = canonicalKey(given)
    if (classifySignature(packed) === 'packed' && (await recover(packed)) === address) return packed
  }
  const deployed = await hasCode(client, address)
  const signature = normalizeSignature(given, { hasCode: deployed, field })
  const kind = classifySignature(signature)
  if (deployed || kind === 'erc6492') {
    if (await checkContractSignature(client, { address, digest, signature, deployed })) return signature
    // EIP-7702: the delegate's code may expect a signature over its own wrapping of the digest (cowprotocol/cowswap, issue 8032)
    if (kind === 'packed' && (await recover(signature)) === address)
      throw wrongSignature(
        address,
        field,
        " The account's key signed, but the code that the account is delegated to does not accept its signature.",
        'Sign with the smart account that this delegation belongs to, or revoke the delegation. Nothing was sent.',
      )
  } else if (kind === 'packed' && (await recover(signature)) === address) return signature
  if (unaided && kind === 'other') throw schemeMissing(field)
  throw wrongSignature(address, field, reason)
}

export declare namespace checkSignature {
  type Options = {
    address: Address
    digest: Hex
    signature: Hex
    chainId: number
    signatures?: SignatureScheme | undefined
    field?: string | undefined
  }
}

/** Normalizes a signature by a key. Leaves other bytes unchanged, because a contract account may accept them. */
const canonicalKey = (signature: Hex) => attempt(() => normalizeSignature(signature)) ?? signature

/** Recovers the signer with the precompile at address 1, so that no elliptic-curve code must be loaded. */
async function recoverOnChain(client: EvmClient, digest: Hex, packed: Hex): Promise<Address | undefined> {
  const v = packed.slice(130).padStart(64, '0')
  const answer = await callContract(client, {
    to: '0x0000000000000000000000000000000000000001',
    data: `${digest}${v}${packed.slice(2, 130)}`,
  })
  return answer?.length === 66 ? checkAddress(`0x${answer.slice(26)}`, 'signature') : undefined
}

/** How many milliseconds to wait for the wallet's capabilities after account and chain are known. */
export const patienceMs = 250

/**
 * Returns whether the wallet announces that it accepts the purchase as part of a signing request (PROTOCOL.md 4.7). False if the wallet
 * does not respond in time. Never prompts and never throws.
 */
export async function takesIntent(
  wallet: Signer,
  account: { address: Address; chainId: number },
): Promise<boolean> {
  try {
    return isAnnounced(await wallet.getCapabilities?.(account), account.chainId)
  } catch {
    return false
  }
}

/** Reads the response to `wallet_getCapabilities` (EIP-5792). The chain's entry takes precedence over `0x0`, the entry for all chains. */
function isAnnounced(answer: unknown, chainId: number): boolean {
  const entries = Object.entries(Object(answer))
  const [own, every] = [chainId, 0].map((id) =>
    entries.find(([key]) => /^0x/.test(key) && Number(key) === id),
  )
  const { supported, version } = Object(redeemIntentOf(own) ?? redeemIntentOf(every))
  return supported === true && version === 1
}

const redeemIntentOf = (entry: [string, unknown] | undefined): unknown => Object(entry?.[1]).redeemIntent

export async function inTime(answer: Promise<boolean>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
