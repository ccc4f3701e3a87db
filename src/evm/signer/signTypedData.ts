import type { Address, Hex } from 'viem'
import { BaseError } from '../../core/errors/baseError.ts'
import { isTempoChain } from '../../tempo/isTempoChain.ts'
import { askAccessKey } from '../../tempo/verify/askAccessKey.ts'
import { askSignatureVerifier } from '../../tempo/verify/askSignatureVerifier.ts'
import type { EvmClient } from '../client/evmClient.ts'
import { callContract, hasCode } from '../client/readChain.ts'
import { checkContractSignature } from '../signature/checkContractSignature.ts'
import { classifySignature } from '../signature/classifySignature.ts'
import { normalizeSignature } from '../signature/normalizeSignature.ts'
import { checkAddress } from '../values/checkAddress.ts'
import type { EvmSigner, SignableTypedData } from './evmSigner.ts'
import { type Signer, toSigner, WrongAccountError } from './toSigner.ts'

/**
 * Asks a signer for a signature of checked typed data: account and chain are compared before anything is asked.
 *
 * With a client, the answer is brought into its canonical form when the account has no code, and then checked on chain.
 * Without one it is returned as the wallet gave it.
 */
export async function signTypedData(signer: EvmSigner, options: signTypedData.Options): Promise<Hex> {
  const { typedData, digest, address, addressField, client } = options
  const wallet = toSigner(signer)
  await checkAccount(wallet, address, addressField)
  await checkChain(wallet, typedData.domain.chainId)
  const signature = await wallet.signTypedData(typedData, { address, digest })
  return client === undefined
    ? signature
    : checkSignature(client, { address, digest, signature, chainId: typedData.domain.chainId })
}

export declare namespace signTypedData {
  type Options = {
    typedData: SignableTypedData
    /** Hash of `typedData`. */
    digest: Hex
    /** The account that must sign. */
    address: Address
    /** What `address` is called in the typed data, for the error. */
    addressField: string
    client?: EvmClient | undefined
  }
}

/**
 * Refuses a wallet that signs for another account.
 *
 * @throws {@link WrongAccountError}
 */
export async function checkAccount(wallet: Signer, address: Address, field: string): Promise<void> {
  const own = await wallet.getAddress(address)
  if (own !== address)
    throw new WrongAccountError(`The wallet signs for ${own}, and ${field} is ${address}.`, {
      field,
      fix: 'Choose the right account in the wallet, or prepare for the account that it shows.',
    })
}

/**
 * Refuses a wallet that stands on another chain.
 *
 * @throws {@link WrongChainError}
 */
export async function checkChain(wallet: Signer, chainId: number): Promise<void> {
  const own = await wallet.getChainId()
  if (own !== undefined && own !== chainId)
    throw new WrongChainError(`The wallet is on chain ${own}, and this is for chain ${chainId}.`, {
      field: 'domain.chainId',
      fix: 'Switch the wallet with wallet_switchEthereumChain, then sign.',
      docs: 'EIP-3326',
    })
}

/**
 * Checks a signature on chain, and brings it into its canonical form when the account has no code.
 *
 * @throws {@link WrongSignatureError}; InvalidSignatureError; ChainReadError when the node cannot be asked
 */
export async function checkSignature(
  client: EvmClient,
  options: { address: Address; digest: Hex; signature: Hex; chainId: number; field?: string | undefined },
): Promise<Hex> {
  const { address, digest, chainId, field = 'signature' } = options
  const onTempo = isTempoChain(chainId)
  let reason = ''
  if (onTempo) {
    const envelope = canonicalKey(options.signature)
    if (envelope.startsWith('0x04') && envelope.length !== 132) {
      const check = await askAccessKey(client, { account: address, digest, signature: envelope })
      if (check.valid) return envelope
      reason = ` ${check.message}`
    } else if (await askSignatureVerifier(client, { account: address, digest, signature: envelope }))
      return envelope
  }
  const deployed = await hasCode(client, address)
  const signature = normalizeSignature(options.signature, { hasCode: deployed, field })
  const kind = classifySignature(signature)
  if (deployed || kind === 'erc6492') {
    if (await checkContractSignature(client, { address, digest, signature, deployed })) return signature
  } else if (kind === 'packed' && (await recoverOnChain(client, digest, signature)) === address)
    return signature
  throw new WrongSignatureError(`The bytes are not a signature by ${address}.${reason}`, {
    field,
    fix: 'Check which account signs in the wallet; nothing was sent.',
  })
}

/** A key's signature in its canonical form; Tempo's other envelopes to the letter. */
function canonicalKey(signature: Hex): Hex {
  const kind = classifySignature(signature)
  return kind === 'packed' || kind === 'compact' ? normalizeSignature(signature) : signature
}

/** The precompile at address 1 recovers the key, so that no curve has to be loaded for it. */
async function recoverOnChain(client: EvmClient, digest: Hex, packed: Hex): Promise<Address | undefined> {
  const v = packed.slice(130).padStart(64, '0')
  const answer = await callContract(client, {
    to: '0x0000000000000000000000000000000000000001',
    data: `${digest}${v}${packed.slice(2, 130)}`,
  })
  return answer?.length === 66 ? checkAddress(`0x${answer.slice(26)}`, 'signature') : undefined
}

/** The wallet stands on another chain than the one that is meant. */
export class WrongChainError extends BaseError {
  override readonly name = 'WrongChainError'
}

/** The wallet answered with a signature by somebody else. */
export class WrongSignatureError extends BaseError {
  override readonly name = 'WrongSignatureError'
}
