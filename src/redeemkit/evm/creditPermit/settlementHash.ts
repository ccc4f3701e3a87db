import type { Address, Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import type { TransactionData } from '../../schema/transactionData.ts'
import { checkNonZeroAddress } from '../checkAddress.ts'
import { hashAbiEncoded } from '../eip712/typedData.ts'
import { type Settlement, settlementKinds, settlementOf } from '../transactionData/settlementOf.ts'
import { MissingFieldError } from '../values.ts'
import { keccak256 } from '../viem.ts'

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
  type ErrorType = settlementOf.ErrorType | checkOptions.ErrorType | MissingFieldError | InvalidAddressError
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
