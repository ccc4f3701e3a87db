import { type Command, InvalidArgumentError, Option } from 'commander'
import { defaultHeaderPrefix } from '../../redeemkit/core/headerNames.ts'
import { settlementShapes } from '../../redeemkit/evm/transactionData/settlementOf.ts'
import { defaultMerchantId } from '../merchantOptions.ts'
import { testAccountNames } from '../runningSandbox.ts'

export function redeemOptions(command: Command): Command {
  return command
    .optionsGroup('The redeem:')
    .addOption(
      new Option('--type <name>', 'transaction type: see below')
        .choices(Object.keys(settlementShapes))
        .makeOptionMandatory(),
    )
    .requiredOption('--to <address>', 'contract to call, or the receiver of a token redeem')
    .requiredOption('--amount <usd>', 'price in dollars, such as 10.00')
    .option('--usdc <usd>', 'part of the price to pay in USDC (default: 0)')
    .option(
      '--as <account>',
      `customer, a test account: ${testAccountNames.join(', ')}; simulate also accepts an address`,
      'alice',
    )
    .optionsGroup('The call (every type except token):')
    .option('--sig <function>', 'function signature, in quotes: "buy(address,uint256)"')
    .option(
      '--args <values...>',
      'arguments, one word each: addresses or test accounts, whole numbers, true, text, 0x…, arrays and tuples as JSON',
    )
    .option('--data <hex>', 'call data, instead of --sig and --args')
    .option('--nft-contract <address>', 'NFT contract (default: --to)')
    .option('--nft-id <id>', 'token id, for knownTokenId')
    .option('--dst-chain <id>', 'for decent: destination chain id', readNumber)
    .option(
      '--dst-token <address>',
      'for decent: token to pay with on the destination chain (default: its USDC)',
    )
    .option('--dst-cost <usd>', 'for decent: amount to pay on the destination chain (default: --amount)')
    .optionsGroup('Where:')
    .option('--chain <name>', "chain of the credits (default: the sandbox's first)")
    .option(
      '--header-prefix <prefix>',
      `prefix of the service's header names (default: the sandbox's, or ${defaultHeaderPrefix})`,
    )
    .option(
      '--abi <folder>',
      'build folder with ABIs to decode calls and errors (default: ./out or ./artifacts)',
    )
}

export type RedeemOptions = {
  type: string
  to: string
  amount: string
  usdc?: string
  as: string
  sig?: string
  args?: readonly string[]
  data?: string
  nftContract?: string
  nftId?: string
  dstChain?: number
  dstToken?: string
  dstCost?: string
  chain?: string
  headerPrefix?: string
  abi?: string
}

const typeTexts: Record<keyof typeof settlementShapes, string> = {
  token: 'pays --to in USDC, without a call',
  normal: 'calls --to, which delivers to the receiver in the call data',
  safeMint: 'calls --to, which mints to msg.sender with _safeMint; the token is forwarded to the customer',
  returned: 'calls --to, which mints to msg.sender and returns the token id',
  knownTokenId: 'calls --to, which transfers the token --nft-id to msg.sender',
  decent: 'bridges, and calls --to on the chain --dst-chain',
}

export const typeHelp = `
Transaction types:
${Object.entries(typeTexts)
  .map(([name, text]) => `  ${name.padEnd(13)} ${text}`)
  .join('\n')}`

export function merchantOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--merchant-id <id>', `merchant id (default: the sandbox's, or ${defaultMerchantId})`).env(
        'REDEEMKIT_MERCHANT_ID',
      ),
    )
    .addOption(
      new Option(
        '--credit-seed <seed>',
        "name of the merchant's credit balance (default: the sandbox's, or the merchant id)",
      ).env('REDEEMKIT_CREDIT_SEED'),
    )
}

export type MerchantOptions = { merchantId?: string; creditSeed?: string }

export function merchantOf(
  { merchantId, creditSeed }: MerchantOptions,
  found: { merchantId?: string | undefined; creditSeed?: string | undefined },
): { merchantId: string; creditSeed: string } {
  const id = merchantId ?? found.merchantId ?? defaultMerchantId
  const isFound = id === found.merchantId
  return { merchantId: id, creditSeed: creditSeed ?? (isFound ? found.creditSeed : undefined) ?? id }
}

export const defaultPort = 4242

export const defaultUrl = `http://127.0.0.1:${defaultPort}`

export function sandboxOptions(command: Command): Command {
  return command
    .optionsGroup('The sandbox (default: the one started in this folder, or the only one running):')
    .addOption(
      new Option('--url <url>', 'address of the service').env('REDEEMKIT_URL').argParser(readHttpUrl),
    )
    .addOption(
      new Option('--api-key <key>', "the merchant's API key, as printed by the sandbox").env(
        'REDEEMKIT_API_KEY',
      ),
    )
    .option('--data-dir <folder>', 'data folder of the sandbox (its --data), instead of --url and --api-key')
    .optionsGroup('Output:')
    .option('--json', 'print JSON, one object per line')
}

export function readHttpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url?.username === '' && url.password === ''
  if (url === undefined || !isPlain || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError(
      `Pass an http or https URL without user and password, such as ${defaultUrl}.`,
    )
  return text
}

export function readNumber(text: string): number {
  const number = /^[1-9]\d*$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(number)) throw new InvalidArgumentError('Pass a whole number above 0.')
  return number
}

export function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535))
    throw new InvalidArgumentError('Pass a number from 0 to 65535; 0 selects a free port.')
  return port
}
