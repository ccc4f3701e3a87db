import { type Command, Option } from 'commander'
import { settlementShapes } from '../../../redeemkit/evm/transactionData/settlementKinds.ts'
import type { FoundSandbox } from '../connection/findSandbox.ts'
import { readNumber } from '../readNumber.ts'

/** The options that say which redeem is meant, for a trial of it and for the redeem itself; `readAttempt` reads them. */
export function attemptOptions(command: Command): Command {
  return command
    .optionsGroup('The redeem:')
    .addOption(
      new Option('--shape <name>', 'what is delivered, and how: see below')
        .choices(Object.keys(settlementShapes))
        .makeOptionMandatory(),
    )
    .requiredOption('--to <address>', 'the contract that is called; of a token redeem, who is paid')
    .requiredOption('--amount <usd>', 'what it spends, in dollars: 10.00')
    .option('--usdc <usd>', 'the part of it that the customer pays in USDC (default: 0)')
    .optionsGroup('The call, of every shape but token:')
    .option('--sig <function>', 'its signature, in quotation marks: "buy(address,uint256)"')
    .option(
      '--args <values...>',
      'its arguments, one word each: addresses or the name of a person, whole numbers, true, text, 0x…, lists and tuples as JSON',
    )
    .option('--data <hex>', 'in place of both: the call data')
    .option('--nft-contract <address>', 'where the token comes from (default: --to)')
    .option('--nft-id <id>', 'which token it is, for knownTokenId')
    .option('--dst-chain <id>', 'chain id of the other chain, for decent', readNumber)
    .option('--dst-token <address>', 'what is paid there, for decent (default: the USDC of that chain)')
    .option('--dst-cost <usd>', 'how much is paid there, for decent (default: --amount)')
    .optionsGroup('Where:')
    .option('--chain <name>', 'chain of the credits (default: the first of the sandbox)')
    .option(
      '--abi <folder>',
      'build folder whose ABIs name calls and errors (default: out or artifacts, when here)',
    )
}

export type AttemptOptions = {
  shape: string
  to: string
  amount: string
  usdc?: string
  sig?: string
  args?: readonly string[]
  data?: string
  nftContract?: string
  nftId?: string
  dstChain?: number
  dstToken?: string
  dstCost?: string
  chain?: string
  abi?: string
}

/** For the help of a command with these options. */
export const shapeHelp = `
Shapes:
  token         pays --to, no call
  normal        calls --to, which delivers by itself: the receiver stands in the call
  safeMint      calls --to, which mints to its caller with _safeMint; the token goes on to the customer
  returned      calls --to, which mints to its caller and returns the token id
  knownTokenId  calls --to, which hands over the token --nft-id
  decent        has a bridge call --to on the chain --dst-chain`

/** Whose credits are spent; `merchantOf` reads them. */
export function merchantOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--merchant-id <id>', "the merchant (default: the sandbox's, else sandbox-shop)").env(
        'REDEEMKIT_MERCHANT_ID',
      ),
    )
    .addOption(
      new Option(
        '--credit-seed <seed>',
        "name of the merchant's credit balance (default: the sandbox's, else the merchant id)",
      ).env('REDEEMKIT_CREDIT_SEED'),
    )
}

export type MerchantOptions = { merchantId?: string; creditSeed?: string }

/** The merchant that was named, else the one that the sandbox is known to have. */
export function merchantOf(
  { merchantId, creditSeed }: MerchantOptions,
  found: Pick<FoundSandbox, 'merchantId' | 'creditSeed'>,
): { merchantId: string; creditSeed: string } {
  const id = merchantId ?? found.merchantId ?? 'sandbox-shop'
  const isFound = id === found.merchantId
  return { merchantId: id, creditSeed: creditSeed ?? (isFound ? found.creditSeed : undefined) ?? id }
}
