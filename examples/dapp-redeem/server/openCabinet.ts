import { readFile } from 'node:fs/promises'
import type { RunningSandbox } from '@redeemkit/sandbox'
import { allSpecies } from '../src/catalogue/species.ts'

/** Deploys the contract that sells the moths, and puts it on the merchant's whitelist. */
export async function openCabinet(
  sandbox: RunningSandbox,
  { usdc, keeper }: { usdc: `0x${string}`; keeper: `0x${string}` },
): Promise<`0x${string}`> {
  const artifact = JSON.parse(
    await readFile(new URL('../contracts/MothCabinet.json', import.meta.url), 'utf8'),
  )
  const cabinet = await sandbox.deploy({
    artifact,
    args: [
      usdc,
      keeper,
      allSpecies.map(({ cents }) => BigInt(cents) * 10_000n),
      allSpecies.map(({ edition }) => BigInt(edition)),
    ],
  })
  await sandbox.whitelist({ target: cabinet, selector: 'collect(uint256)' })
  return cabinet
}
