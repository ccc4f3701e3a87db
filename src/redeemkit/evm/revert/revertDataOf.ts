import type { Hex } from 'viem'
import { attempt } from '../../core/attempt.ts'

/** The fields in which nodes and libraries put revert data. Each holds the bytes, or another object to search. */
const places = ['data', 'result', 'return', 'originalError', 'error', 'info', 'cause', 'body']
const bytes = /^(?:reverted )?(0x(?:[0-9a-f]{2})*)$/i
const inText = /\breverted (0x(?:[0-9a-f]{2}){4,})/i
const mostPlaces = 64

/**
 * Finds revert data in a node's error. Searches `data` (geth, Erigon, Anvil, Alchemy), the text after "Reverted" in `data` or
 * `message` (Nethermind, OpenEthereum), `data.data` (Hardhat), `data.result` or a field named by the transaction hash (Ganache),
 * `originalError` (wallets), and the errors in which viem and ethers wrap these.
 *
 * @returns `0x` for an error without revert data; `undefined` if it has no field for revert data
 */
export function revertDataOf(error: unknown): Hex | undefined {
  let empty: Hex | undefined
  const queue: unknown[] = [error]
  try {
    for (let at = 0; at < queue.length && at < mostPlaces; at++) {
      const place = queue[at]
      if (typeof place === 'string') {
        const [, found] = bytes.exec(place) ?? []
        // the pattern begins with 0x
        if (found === '0x') empty = found
        else if (found !== undefined) return found as Hex
      } else if (typeof place === 'object' && place !== null) {
        const record = place as Record<string, unknown> // only read; each value is checked before it is used
        const [, found] = inText.exec(String(record.message)) ?? []
        if (found !== undefined) return found as Hex
        queue.push(...placesOf(record))
      }
    }
  } catch {
    // Reading the error threw.
  }
  return empty
}

function placesOf(record: Record<string, unknown>): unknown[] {
  return places
    .flatMap((key) => {
      const value = record[key]
      // a `body` that is text belongs to the response; an object belongs to the request and is ignored
      if (key === 'body') return typeof value === 'string' ? [attempt(() => JSON.parse(value))] : []
      return [value]
    })
    .concat(Object.keys(record).flatMap((key) => (/^0x[0-9a-f]{64}$/i.test(key) ? [record[key]] : [])))
}
