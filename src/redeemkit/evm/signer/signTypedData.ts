import type { Address, Hex, TypedDataDefinition } from 'viem'
import { attempt } from '../../core/attempt.ts'
import type { InvalidAddressError, InvalidSignatureError } from '../../core/errors/inputErrors.ts'
import {
  type WrongNetworkError,
  WrongSignatureError,
  WrongSignerError,
} from '../../core/errors/walletErrors.ts'
import { checkAddress } from '../checkAddress.ts'
import type { ChainReadError, EvmClient } from '../client.ts'
import { callContract, hasCode } from '../client.ts'
import { isTempoChain } from '../networks.ts'
import { checkContractSignature } from '../signature/checkContractSignature.ts'
import { classifySignature } from '../signature/classifySignature.ts'
import { normalizeSignature } from '../signature/normalizeSignature.ts'
import { recoverSigner } from '../signature/recoverSigner.ts'
import {
  type SignatureScheme,
  type SignatureSchemeMissingError,
  schemeMissing,
  schemeOn,
} from '../signature/signatureScheme.ts'
import type { InvalidHexError } from '../values.ts'
import { hashTypedData } from '../viem.ts'
import { type askWallet, otherChain } from './askWallet.ts'
import type { EvmSigner, SignableTypedData } from './evmSigner.ts'
import { inTime, patienceMs, takesIntent } from './takesIntent.ts'
import {
  type InvalidWalletAnswerError,
  invalidAnswer,
  type Signer,
  toSigner,
  type UnsupportedSignerError,
} from './toSigner.ts'

/**
 * Asks a signer for a signature of checked typed data, after comparing its account and chain.
 *
 * With a client, every signature is checked on chain, and that of an account without code normalized. Without one, the wallet's answer
 * is returned unchanged, and checked as far as possible without the chain (PROTOCOL.md 5.3).
 */
export async function signTypedData(signer: EvmSigner, options: signTypedData.Options): Promise<Hex> {
  const { typedData, address, addressField, client } = options
  // viem's type also infers the message from the types
  const digest = hashTypedData(typedData as TypedDataDefinition)
  const wallet = toSigner(signer)
  const { chainId } = typedData.domain
  const checked = checkWallet(wallet, { address, addressField, chainId })
  // asked together with account and chain
  const announced = options.redeemIntent && takesIntent(wallet, { address, chainId })
  await checked
  const redeemIntent = announced && (await inTime(announced, patienceMs)) ? options.redeemIntent : undefined
  await options.onPrompt?.()
  const answer = await wallet.signTypedData(typedData, { address, digest, redeemIntent })
  const signature = await withoutChainId(answer, { address, digest, chainId })
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
    /** The account that must sign. */
    address: Address
    /** The name of the field with `address` in the typed data, for the error. */
    addressField: string
    client?: EvmClient | undefined
    /** Verifies the chain's own kinds of signatures. Default: the signer's own scheme. */
    signatures?: SignatureScheme | undefined
    /** The purchase, for a wallet that announces that it accepts one (PROTOCOL.md 4.7). */
    redeemIntent?: object | undefined
    /** Called and awaited directly before the wallet prompts the user. If it throws, signing stops with that error. */
    onPrompt?: (() => void | Promise<void>) | undefined
    /** Called and awaited with the wallet's signature before it is checked, so that a failing node cannot lose it. */
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

/**
 * Refuses a wallet that signs for another account, or is on another chain.
 *
 * @throws {@link WrongSignerError}; WrongNetworkError
 */
export async function checkWallet(wallet: Signer, options: checkWallet.Options): Promise<void> {
  const { address, addressField, chainId, chainField = 'domain.chainId' } = options
  // Request both at once: a mobile wallet opens only directly after a click.
  const account = wallet.getAddress(address)
  const chain = wallet.getChainId()
  // Without an account, report that first.
  chain.catch(() => undefined)
  const own = await account
  if (own !== address)
    throw new WrongSignerError(`The wallet signs for ${own}, and ${addressField} is ${address}.`, {
      field: addressField,
      fix: 'Select the right account in the wallet, or prepare for the selected one.',
    })
  const ownChain = await chain
  if (ownChain !== undefined && ownChain !== chainId)
    throw otherChain(`The wallet is on chain ${ownChain}, and this is for chain ${chainId}.`, {
      field: chainField,
    })
}

export declare namespace checkWallet {
  type Options = {
    /** The account that must sign. */
    address: Address
    /** The name of the option with `address`, for the error. */
    addressField: string
    chainId: number
    /** Default `domain.chainId`. */
    chainField?: string | undefined
  }
  type ErrorType =
    | WrongSignerError
    | WrongNetworkError
    | InvalidAddressError
    | InvalidWalletAnswerError
    | askWallet.ErrorType
}

/**
 * Some wallets sign typed data with the `v` of a transaction, `35 + 2 * chainId + yParity` (EIP-155), in as many bytes as needed. If the
 * account's key made that signature, its `v` becomes 27 or 28. All other bytes stay unchanged.
 */
async function withoutChainId(
  signature: Hex,
  { address, digest, chainId }: { address: Address; digest: Hex; chainId: number },
): Promise<Hex> {
  const long = Number(`0x${signature.slice(130) || 0}`)
  const v = [27, 28].find((one) => one + 8 + 2 * chainId === long)
  if (v === undefined) return signature
  const plain: Hex = `${signature.slice(0, 130) as Hex}${v.toString(16)}`
  return (await recoverSigner(digest, plain)) === address ? plain : signature
}

/**
 * Checks a signature without a client. 64 or 65 bytes that recover to the account pass. If they recover to another address, they are
 * refused if the account is known to be a key: the signer holds it, or the wallet's node reports no code. Otherwise they may belong to a
 * contract account and pass, like all other bytes. `0x` never passes.
 *
 * @throws {@link WrongSignatureError}, InvalidWalletAnswerError for `0x`
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
  fix = 'Check which account signs in the wallet; nothing was sent.',
): WrongSignatureError {
  return new WrongSignatureError(`The bytes are not a signature by ${address}.${reason}`, { field, fix })
}

/**
 * Checks a signature on chain, and brings it into its canonical form if the account has no code.
 *
 * @throws {@link WrongSignatureError}; InvalidSignatureError; SignatureSchemeMissingError on Tempo for bytes that may be one of its own
 * signatures; ChainReadError when the node does not answer
 */
export async function checkSignature(client: EvmClient, options: checkSignature.Options): Promise<Hex> {
  const { address, digest, chainId, field = 'signature' } = options
  const scheme = schemeOn(chainId, options.signatures)
  const unaided = scheme === undefined && isTempoChain(chainId)
  let reason = ''
  if (scheme !== undefined) {
    const question = { account: address, digest, signature: canonicalKey(options.signature) }
    const { valid, message } = await scheme.verifyOnChain(client, question)
    if (valid) return question.signature
    if (message !== undefined) reason = ` ${message}`
  } else if (unaided) {
    // before the account's code is called: on Tempo an ordinary account may have code that cannot verify signatures
    const packed = canonicalKey(options.signature)
    if (classifySignature(packed) === 'packed' && (await recoverOnChain(client, digest, packed)) === address)
      return packed
  }
  const deployed = await hasCode(client, address)
  const signature = normalizeSignature(options.signature, { hasCode: deployed, field })
  const kind = classifySignature(signature)
  if (deployed || kind === 'erc6492') {
    if (await checkContractSignature(client, { address, digest, signature, deployed })) return signature
    // EIP-7702: a delegate may expect a signature of its own wrapping of the digest (cowprotocol/cowswap, issue 8032)
    if (kind === 'packed' && (await recoverOnChain(client, digest, signature)) === address)
      throw wrongSignature(
        address,
        field,
        ' Its key signed, but the code that the account is delegated to does not accept that.',
        'Sign with the smart account that this delegation belongs to, or revoke the delegation. Nothing was sent.',
      )
  } else if (kind === 'packed' && (await recoverOnChain(client, digest, signature)) === address)
    return signature
  if (unaided && kind === 'other') throw schemeMissing(field)
  throw wrongSignature(address, field, reason)
}

export declare namespace checkSignature {
  type Options = {
    address: Address
    digest: Hex
    signature: Hex
    chainId: number
    /** Verifies the chain's own kinds of signatures. */
    signatures?: SignatureScheme | undefined
    field?: string | undefined
  }
}

/** Returns a key's signature in its canonical form, and all other bytes unchanged: a contract account may accept them. */
const canonicalKey = (signature: Hex) => attempt(() => normalizeSignature(signature)) ?? signature

/** The precompile at address 1 recovers the key without loading the curve. */
async function recoverOnChain(client: EvmClient, digest: Hex, packed: Hex): Promise<Address | undefined> {
  const v = packed.slice(130).padStart(64, '0')
  const answer = await callContract(client, {
    to: '0x0000000000000000000000000000000000000001',
    data: `${digest}${v}${packed.slice(2, 130)}`,
  })
  return answer?.length === 66 ? checkAddress(`0x${answer.slice(26)}`, 'signature') : undefined
}
