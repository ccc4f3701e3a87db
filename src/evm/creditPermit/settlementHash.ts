import type { Hex } from 'viem'
import type { TransactionData } from '../../schema/transactionData.ts'
import { bytesToHex } from '../bytes/bytesToHex.ts'
import { hexToBytes } from '../bytes/hexToBytes.ts'
import { writeHex, writeUint } from '../eip712/writeWord.ts'
import { keccak256 } from '../keccak/keccak256.ts'
import { settlementKinds } from '../transactionData/settlementKinds.ts'
import { type Settlement, settlementOf } from '../transactionData/settlementOf.ts'

/**
 * The hash of what a redeem executes, to which a bound permit's nonce commits.
 *
 * `keccak256(abi.encode(uint8 kind, address target, bytes32 keccak256(data), address nftContract, uint256 nftId, bytes32 bridgeHash))`
 * (PROTOCOL.md 4).
 *
 * @param transactionData the wire record, as it is sent
 * @returns 32 bytes
 * @throws what {@link settlementOf} throws, when the record is none of the six shapes
 * @example
 * ```ts
 * import { settlementHash } from 'redeemkit/evm'
 * settlementHash({ type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }) // '0x5b415c86…'
 * ```
 */
export function settlementHash(transactionData: TransactionData): Hex {
  return hashSettlement(settlementOf(transactionData))
}

export declare namespace settlementHash {
  type ErrorType = settlementOf.ErrorType
}

/** The same of what the credits contract takes. */
export function hashSettlement(settlement: Omit<Settlement, 'kind'> & { kind: number }): Hex {
  const bytes = new Uint8Array(192)
  bytes[31] = settlement.kind
  writeHex(bytes, 1, settlement.target)
  bytes.set(keccak256(hexToBytes(settlement.data)), 64)
  writeHex(bytes, 3, settlement.nftContract)
  writeUint(bytes, 4, settlement.nftId)
  bytes.set(bridgeHash(settlement), 160)
  return bytesToHex(keccak256(bytes))
}

/** `keccak256(abi.encode(uint256 dstChainId, address dstToken, bool isNative, uint256 cost))`; zero without a bridge. */
function bridgeHash({ kind, bridge }: Pick<Settlement, 'bridge'> & { kind: number }): Uint8Array {
  if (kind !== settlementKinds.decent) return new Uint8Array(32)
  const bytes = new Uint8Array(128)
  writeUint(bytes, 0, bridge.dstChainId)
  writeHex(bytes, 1, bridge.dstToken)
  bytes[95] = bridge.isNative ? 1 : 0
  writeUint(bytes, 3, bridge.cost)
  return keccak256(bytes)
}
