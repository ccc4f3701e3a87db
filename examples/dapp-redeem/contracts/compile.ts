import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import solc from 'solc'

/** Compiles the shop's contract into the content of `MothCabinet.json`. */
export function compileCabinet(): { abi: unknown[]; bytecode: string } {
  const file = 'MothCabinet.sol'
  const output = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: { [file]: { content: readFileSync(new URL(file, import.meta.url), 'utf8') } },
        settings: {
          optimizer: { enabled: true, runs: 200 },
          evmVersion: 'cancun',
          metadata: { appendCBOR: false },
          outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
        },
      }),
    ),
  )
  const contract = output.contracts?.[file]?.MothCabinet
  if (contract === undefined || output.errors !== undefined)
    throw new Error(output.errors.map((one: { formattedMessage: string }) => one.formattedMessage).join('\n'))
  return { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` }
}

// Run `npx tsx examples/dapp-redeem/contracts/compile.ts` after changing the contract.
if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(
    new URL('MothCabinet.json', import.meta.url),
    `${JSON.stringify(compileCabinet(), undefined, 2)}\n`,
  )
