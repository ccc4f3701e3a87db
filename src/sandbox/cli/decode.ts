import { Command } from 'commander'
import { createPublicClient, type Hex, http } from 'viem'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { oneLine } from '../../redeemkit/core/errors/oneLine.ts'
import { jsonText } from '../../redeemkit/core/parseJson.ts'
import { checkHex, sameHex } from '../../redeemkit/evm/values.ts'
import { abisAt } from '../simulation/abi/buildAbis.ts'
import { type DecodedData, decodeData } from '../simulation/decodeCall.ts'
import { readRedeems } from '../simulation/redeemRequest.ts'
import { chainOf } from './connection/callSandbox.ts'
import { findSandbox } from './connection/findSandbox.ts'
import { sandboxOptions } from './options.ts'
import { exitCodeHelp } from './printError.ts'
import { printReport, readAbis, type SandboxReport } from './printReport.ts'
import { withProgress } from './withProgress.ts'

export const decode = sandboxOptions(
  new Command('decode')
    .description('Decodes the transaction of a redeem, call data, or revert data.')
    .argument(
      '<hash or data>',
      'transaction hash on a running sandbox, or bytes as 0x-hex (needs no sandbox)',
    )
    .optionsGroup('Where:')
    .option('--chain <name>', "chain of the transaction (default: the sandbox's first)")
    .option(
      '--abi <folder>',
      'build folder with ABIs to decode calls and errors (default: ./out or ./artifacts)',
    ),
)
  .addHelpText(
    'after',
    `${exitCodeHelp('decoded; for a mined redeem: verdict ok or caution\n  1  no ABI matches; for a mined redeem: verdict refuse')}

Examples:
  npx redeemkit decode 0x42b57d96b36dda9526edb19b51f58f8d410951a1b218a189df15e30d39d84632
  npx redeemkit decode 0x52df9fe5 --abi out`,
  )
  .action(async (text: string, options: DecodeOptions, command: Command) => {
    const { json } = options
    const data = checkHex(text.trim(), 'data')
    const { report, sandbox, bytes } = await withProgress('Decoding', {
      json,
      work: (): Promise<Decoded> => decodeText(data, { options, command }),
    })
    if (report !== undefined) return printReport({ report, sandbox }, { json })
    console.log(json ? jsonText(bytes) : bytes.texts.map(oneLine).join('\n'))
    process.exitCode = bytes.call === undefined && bytes.revert === undefined ? 1 : 0
  })

type DecodeOptions = { chain?: string; abi?: string; json?: boolean }
type Decoded =
  | (SandboxReport & { bytes?: undefined })
  | { report?: undefined; sandbox?: undefined; bytes: DecodedData }

async function decodeText(
  data: Hex,
  { options, command }: { options: DecodeOptions; command: Command },
): Promise<Decoded> {
  const abis = await readAbis(options.abi)
  if (data.length !== hashLength) return { bytes: decodeData(data, { abis }) }
  const sandbox = await findSandbox(command)
  const { rpcUrl, creditsContract, blockchain } = await chainOf(sandbox, options.chain)
  const client = createPublicClient({ transport: http(rpcUrl) })
  const transaction = await client.request({ method: 'eth_getTransactionByHash', params: [data] })
  if (transaction === null)
    throw new TransactionNotFoundError(`Transaction ${data} does not exist on ${blockchain}.`, {
      field: 'hash',
      fix: 'Pass its chain with --chain, or its sandbox with --url. A sandbox without --data loses its chains when it stops.',
    })
  const { to, input, blockNumber } = transaction
  const isRedeem = sameHex(to, creditsContract) && readRedeems(input).length > 0
  if (!isRedeem || blockNumber === null) {
    const ofContract = to === null ? abis : await abisAt(client, { address: to, abis })
    return { bytes: decodeData(input, { abis: ofContract }) }
  }
  const { reportTransaction } = await import('../simulation/reportTransaction.ts')
  const report = await reportTransaction(client, { hash: data, creditsContract, abis })
  return { report, sandbox: sandbox.url }
}

/** 0x and 64 digits. */
const hashLength = 66

class TransactionNotFoundError extends BaseError {
  override readonly name = 'TransactionNotFoundError'
}
