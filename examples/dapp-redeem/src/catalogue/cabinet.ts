import { safeMint } from 'redeemkit/evm'
import { parseAbi } from 'viem'
import type { Species } from './species.ts'

/** What the page asks of `contracts/MothCabinet.sol`. */
export const cabinetAbi = parseAbi([
  'function collect(uint256 number) returns (uint256 id)',
  'function specimensOf(address owner) view returns (uint256[])',
  'function species(uint256 number) view returns (uint256 price, uint256 edition, uint256 sold)',
  'error SoldOut(uint256 species)',
])

/** What is executed when a moth is paid for: the contract mints the next specimen, for the species' own price. */
export function collectMoth(cabinet: `0x${string}`, { number }: Species) {
  return safeMint({ to: cabinet, abi: cabinetAbi, functionName: 'collect', args: [BigInt(number)] })
}

/** `no. 7 of 96` of a specimen: its number within its species. */
export function serialOf(id: bigint): number {
  return Number(id % 1000n)
}
