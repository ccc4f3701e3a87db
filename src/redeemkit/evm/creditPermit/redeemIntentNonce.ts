import type { Address, Hex } from 'viem'
import { InvalidAmountError } from '../../core/amount.ts'
import { checkOptions } from '../../core/checkOptions.ts'
import type { InvalidAddressError, InvalidRecordError } from '../../core/errors/inputErrors.ts'
import type { TransactionData } from '../../schema/transactionData.ts'
import { checkNonZeroAddress } from '../checkAddress.ts'
import { type Settlement, settlementKinds, settlementOf } from '../transactionData/settlementOf.ts'
import { hashAbiEncoded } from '../typedData.ts'
import { checkHex, checkRecord, checkUint, type InvalidHexError, MissingFieldError } from '../values.ts'
import { keccak256 } from '../viem.ts'
import { checkOrderKey, nonceOf } from './orderKey.ts'

/** keccak256 of the intent's type string (PROTOCOL.md 4). */
const intentTypehash = '0xed78a96cd398eacd3f6e42e2bbee8bd1cfb18c758141b12c47817360b1df4259'

/**
 * Returns the nonce of an intent-bound permit: the order key, then a commitment to payer, settlement and amounts.
 *
 * The commitment is the last 20 bytes of
 * `keccak256(abi.encode(intentTypehash, customerWallet, settlementHash, amount, usdcAmount, salt))` (PROTOCOL.md 4). The same
 * order key, intent and salt always give the same nonce.
 *
 * @returns 32 bytes
 * @throws InvalidAddressError, InvalidHexError, InvalidAmountError
 * @example
 * ```ts
 * import { orderKey, redeemIntentNonce, settlementHash } from 'redeemkit/evm'
 * redeemIntentNonce({
 *   orderKey: orderKey({ merchantId: 'sandbox-shop', purchaseId: 'order 1' }),
 *   customerWallet: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
 *   settlementHash: settlementHash({ type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }),
 *   amount: 10_000_000n,
 *   usdcAmount: 0n,
 *   salt: '0xa05e334153147e75f3f416139b5109d1179cb56fef6a4ecb4c4cbc92a7c37b70',
 * }) // '0xcff8661c04b781a2804ce2e8d1963b73…'
 * ```
 */
export function redeemIntentNonce(options: redeemIntentNonce.Options): Hex {
  checkRecord(options, 'options')
  const amount = checkUint(options.amount, 'amount')
  const usdcAmount = checkUint(options.usdcAmount, 'usdcAmount')
  if (usdcAmount > amount)
    throw new InvalidAmountError(
      `The part paid in USDC, ${usdcAmount}, is more than the amount, ${amount}.`,
      { field: 'usdcAmount', fix: 'The amount includes the USDC amount: pass at most the amount.' },
    )
  const key = checkOrderKey(options.orderKey)
  const commitment = hashAbiEncoded('bytes32 address bytes32 uint256 uint256 bytes32', [
    intentTypehash,
    checkNonZeroAddress(options.customerWallet, 'customerWallet'),
    checkHex(options.settlementHash, 'settlementHash', { bytes: 32 }),
    amount,
    usdcAmount,
    checkHex(options.salt, 'salt', { bytes: 32 }),
  ])
  return nonceOf(key, commitment)
}

export declare namespace redeemIntentNonce {
  type Options = {
    /** 12 bytes, highest bit set: `orderKey({ merchantId, purchaseId })`, or random. */
    orderKey: Hex
    /** The wallet that pays. */
    customerWallet: Address
    /** `settlementHash(transactionData)`. */
    settlementHash: Hex
    /** The subtotal in raw units of USDC, without the gas fee: the amount that the settlement spends. */
    amount: bigint
    /** The part of `amount` that the customer pays in USDC. Raw units, at most `amount`. */
    usdcAmount: bigint
    /** 32 random bytes that the client chooses. */
    salt: Hex
  }
  type ErrorType = InvalidRecordError | InvalidAmountError | InvalidAddressError | InvalidHexError
}

/**
 * Returns the hash of a redeem's settlement (what the redeem executes on chain). An intent-bound nonce commits to it.
 *
 * `keccak256(abi.encode(uint8 kind, address target, bytes32 keccak256(data), address nftContract, uint256 nftId, bytes32 bridgeHash))`
 * (PROTOCOL.md 4).
 *
 * @param transactionData the record exactly as the client sends it
 * @param options.bridgeAdapter the credits contract's bridge adapter; required for `decent`, unused otherwise
 * @returns 32 bytes
 * @throws the errors of {@link settlementOf} for a record of an unknown type; MissingFieldError for `decent` without
 * an adapter; InvalidAddressError
 * @example
 * ```ts
 * import { settlementHash } from 'redeemkit/evm'
 * settlementHash({ type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }) // '0x5b415c86…'
 * ```
 */
export function settlementHash(transactionData: TransactionData, options: settlementHash.Options = {}): Hex {
  checkOptions(options, { bridgeAdapter: 'any' })
  return hashSettlement(settlementOf(transactionData), options)
}

export declare namespace settlementHash {
  type Options = {
    /** The contract that receives the USDC of a `decent` redeem: `bridgeAdapter()` of the credits contract. */
    bridgeAdapter?: Address | undefined
  }
  type ErrorType = settlementOf.ErrorType | checkOptions.ErrorType
}

/** Like {@link settlementHash}, for a settlement that was already read. */
export function hashSettlement(
  settlement: Omit<Settlement, 'kind'> & { kind: number },
  options: settlementHash.Options = {},
): Hex {
  return hashAbiEncoded('uint8 address bytes32 address uint256 bytes32', [
    settlement.kind,
    settlement.target,
    keccak256(settlement.data),
    settlement.nftContract,
    settlement.nftId,
    bridgeHash(settlement, options),
  ])
}

/** `keccak256(abi.encode(address adapter, uint256 dstChainId, address dstToken, bool isNative, uint256 cost))`; zero without bridge. */
function bridgeHash(
  { kind, bridge }: Pick<Settlement, 'bridge'> & { kind: number },
  { bridgeAdapter }: settlementHash.Options,
): Hex {
  if (kind !== settlementKinds.decent) return zeroHash
  if (bridgeAdapter === undefined)
    throw new MissingFieldError(
      'A redeem of type `decent` commits to a bridge adapter, but none was passed.',
      {
        field: 'bridgeAdapter',
        fix: 'Pin `bridgeAdapter`, or read it from the credits contract that you pin.',
      },
    )
  return hashAbiEncoded('address uint256 address bool uint256', [
    checkNonZeroAddress(bridgeAdapter, 'bridgeAdapter'),
    bridge.dstChainId,
    bridge.dstToken,
    bridge.isNative,
    bridge.cost,
  ])
}

const zeroHash = `0x${'0'.repeat(64)}` as const
