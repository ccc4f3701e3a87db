import {
  createPaymentsClient,
  type Environment,
  type EvmBlockchain,
  type RedeemPins,
  redeem,
} from 'redeemkit'
import { token } from 'redeemkit/evm'
import { createClient, http } from 'viem'
import { describeError, describeOutcome, describeStep, dollars, stages } from './messages.ts'
import { accountOf, findWallets, type Wallet } from './wallets.ts'

/**
 * Your server's description of an order, served as `order.json` next to the page.
 *
 * Addresses and pins come from your own configuration, never from the payments service, because the page trusts them.
 */
export type Order = {
  /** Your order ID. An order is paid only once. */
  id: string
  title: string
  cents: number
  /** Part paid in USDC; the rest comes from credits. */
  usdcCents?: number
  /** Wallet that receives the money. */
  shop: `0x${string}`
  merchantId: string
  blockchain: EvmBlockchain
  environment: Environment
  chainId: number
  baseUrl: string
  rpcUrl: string
  pinned: RedeemPins
  /** How long the page waits for the chain before it reports an uncertain outcome. */
  timeoutMs?: number
}

const order: Order = await (await fetch('order.json')).json()
const client = createPaymentsClient({
  baseUrl: order.baseUrl,
  merchantId: order.merchantId,
  blockchain: order.blockchain,
  environment: order.environment,
})
const publicClient = createClient({ transport: http(order.rpcUrl) })

// #region pay
/** Pays the order once, across tabs and reloads. */
function payOrder(wallet: Wallet, onStep: redeem.Options['onStep']) {
  return redeem(client, {
    signer: wallet.provider,
    publicClient,
    chainId: order.chainId,
    pinned: order.pinned,
    subtotal: { cents: order.cents },
    usdcAmount: order.usdcCents === undefined ? undefined : { cents: order.usdcCents },
    transactionData: token({ destination: order.shop }),
    purchaseId: order.id,
    storage: localStorage,
    timeoutMs: order.timeoutMs ?? 60_000,
    pollingIntervalMs: 500,
    onStep,
  })
}
// #endregion

// The rest renders the page.

const part = (id: string) => document.getElementById(id) as HTMLElement // every id is in index.html
const show = (id: string, visible: boolean) => part(id).toggleAttribute('hidden', !visible)
const inDollars = (cents: number) => dollars(BigInt(cents) * 10_000n)
let connected: Wallet | undefined
/** The button stays enabled, because concurrent calls are safe. */
let underWay = 0
let paid = false

part('title').textContent = order.title
part('price').textContent = `${inDollars(order.cents)} USD`
const credits = `${inDollars(order.cents - (order.usdcCents ?? 0))} from your credits`
const usdc = order.usdcCents === undefined ? '' : ` and ${inDollars(order.usdcCents)} in USDC`
part('split').textContent = `${credits}${usdc}. Your credits also pay a small network fee.`
part('pay').textContent = `Pay ${inDollars(order.cents)}`
part('steps').replaceChildren(
  ...stages.map((text) => Object.assign(document.createElement('li'), { textContent: text })),
)

/** Marks the lines before `stage` as done, and the line of `stage` as running. */
function showStage(stage: number, text: string): void {
  for (const [index, line] of [...part('steps').children].entries())
    line.className = index < stage ? 'done' : index === stage ? 'now' : ''
  part('status').textContent = text
}

async function pay(wallet: Wallet): Promise<void> {
  if (underWay === 0) {
    show('problem', false)
    show('steps', true)
    showStage(0, 'Checking whether this order is already paid.')
  }
  underWay++
  part('pay').setAttribute('aria-busy', 'true')
  try {
    const { outcome } = await payOrder(wallet, (step) => {
      const described = describeStep(step)
      // This call waits for another call, which reports its own steps.
      const silent = paid || (step.step === 'waitingForOther' && underWay > 1)
      if (described !== undefined && !silent) showStage(described.stage, described.text)
    })
    paid = true
    showStage(stages.length, 'Paid. Thank you.')
    show('pay', false)
    show('problem', false)
    part('receipt').replaceChildren(
      ...describeOutcome(outcome).flatMap(([name, value]) => [
        Object.assign(document.createElement('dt'), { textContent: name }),
        Object.assign(document.createElement('dd'), { textContent: value }),
      ]),
    )
    show('receipt', true)
  } catch (error) {
    if (!paid) showProblem(error)
  } finally {
    underWay--
    if (underWay === 0) part('pay').removeAttribute('aria-busy')
  }
}

function showProblem(error: unknown): void {
  const { title, toDo, uncertain } = describeError(error)
  part('problemTitle').textContent = title
  part('problemToDo').textContent = toDo
  part('problem').className = uncertain ? 'uncertain' : 'failed'
  part('status').textContent = ''
  show('steps', false)
  show('problem', true)
}

function connect(wallet: Wallet, account: string): void {
  connected = wallet
  part('account').textContent = `${account.slice(0, 8)}…${account.slice(-6)}`
  part('account').title = account
  show('connect', false)
  show('connected', true)
  part('pay').toggleAttribute('disabled', false)
}

part('pay').addEventListener('click', () => {
  if (connected !== undefined) void pay(connected)
})

findWallets(async (wallet) => {
  show('noWallet', false)
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    textContent: `Connect ${wallet.name}`,
  })
  button.addEventListener('click', async () => {
    try {
      const account = await accountOf(wallet, { ask: true })
      if (account !== undefined) connect(wallet, account)
    } catch (error) {
      showProblem(error)
    }
  })
  part('connect').append(button)
  // This opens no prompt. A wallet stays connected after a reload, but its account may have changed.
  const showAccount = async () => {
    const account = await accountOf(wallet, { ask: false }).catch(() => undefined)
    if (account !== undefined && (connected ?? wallet) === wallet) connect(wallet, account)
  }
  wallet.provider.on?.('accountsChanged', showAccount)
  await showAccount()
})
