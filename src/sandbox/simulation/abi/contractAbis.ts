import type { Abi, Hex } from 'viem'
import { askNode, type EvmClient, toQuantity } from '../../../redeemkit/evm/client.ts'
import type { CallFrame } from '../redeemReport.ts'
import { walkFrames } from '../trace/frames.ts'

/** The ABIs for the code that a call runs, the called contract's own ABI first. */
export type AbisOf = (frame: Pick<CallFrame, 'to' | 'input' | 'calls'>) => readonly Abi[]

/** Matches contracts with ABIs by deployed code, because two contracts can have different parameter names for the same function. */
export async function contractAbis(
  client: EvmClient,
  options: { root: CallFrame; abis: readonly Abi[]; blockNumber: bigint },
): Promise<AbisOf> {
  const { root, abis, blockNumber } = options
  const called = new Set([...walkFrames(root)].flatMap(({ frame }) => frame.to ?? []))
  const lists = new Map<Hex, readonly Abi[]>()
  if (abis.some((abi) => codes.has(abi)))
    await Promise.all(
      [...called].map(async (address) =>
        lists.set(address, await abisAt(client, { address, abis, blockNumber })),
      ),
    )
  return function abisOf({ to, input, calls }): readonly Abi[] {
    const list = (to !== undefined && lists.get(to)) || abis
    const last = calls.at(-1)
    // A proxy runs the code of its implementation.
    return list === abis && last?.type === 'DELEGATECALL' && last.input === input ? abisOf(last) : list
  }
}

/** If the build has the code at this address, the ABI of this contract is first. */
export async function abisAt(
  client: EvmClient,
  options: { address: Hex; abis: readonly Abi[]; blockNumber?: bigint | undefined },
): Promise<readonly Abi[]> {
  const { address, abis, blockNumber } = options
  const block = blockNumber === undefined ? 'latest' : toQuantity(blockNumber)
  const code = String(await askNode(client, 'eth_getCode', [address, block])).slice(2)
  const own = abis.find((abi) => isCodeOf(codes.get(abi), code.toLowerCase()))
  if (own === undefined) return abis
  const known = ownFirst.get(own) ?? [own, ...abis]
  ownFirst.set(own, known)
  return known
}

/** Lists are cached, because each list object is indexed once. */
const ownFirst = new WeakMap<Abi, readonly Abi[]>()

/** Deployed code in hex digits. Parts that are set at deployment (immutables, library addresses) are zeros. */
const codes = new WeakMap<Abi, string>()

/** @param artifact artifact of Foundry (`deployedBytecode.object`), or of Hardhat or Truffle (`deployedBytecode`) */
export function rememberCode(abi: Abi, artifact: unknown): void {
  const { deployedBytecode } = Object(artifact)
  const code: unknown = deployedBytecode?.object ?? deployedBytecode
  if (typeof code !== 'string') return
  const digits = code.replace(/^0x/, '').replace(/__.{36}__/g, '0'.repeat(40))
  if (/^[0-9a-f]+$/i.test(digits)) codes.set(abi, digits.toLowerCase())
}

function isCodeOf(built: string | undefined, deployed: string): boolean {
  if (built?.length !== deployed.length) return false
  let at = 0
  return built.split(/(0{40,})/).every((part, place) => {
    at += part.length
    return place % 2 === 1 || deployed.slice(at - part.length, at) === part
  })
}
