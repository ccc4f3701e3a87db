import {
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  type Hex,
  maxUint256,
} from 'viem'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import {
  paymentSettlementAbi,
  paymentSettlementBytecode,
} from '../../../../contracts/generated/PaymentSettlement.ts'
import { randomNoncePaymentSettlementBytecode } from '../../../../contracts/generated/randomNonce.ts'
import { checkAddress } from '../../../redeemkit/evm/checkAddress.ts'
import { devAccount } from '../../devAccounts.ts'
import type { ServiceKind } from '../../serviceKind.ts'
import { ChainSetupError } from '../errors.ts'
import type { AnvilRpc } from './anvilRpc.ts'
import { roles } from './deployCredits.ts'
import type { UsdcMint } from './prepareUsdc.ts'

/**
 * Deploys the payment settlement contract if needed, at the same address on every local chain, and gives the operator the
 * USDC it needs.
 */
export async function deployPaymentSettlement(
  rpc: AnvilRpc,
  options: deployPaymentSettlement.Options,
): Promise<Hex> {
  const { service, usdc, creditsContract, mintUsdc } = options
  const deployer = devAccount(deployers[service]).account.address
  const expected = checkAddress(getContractAddress({ from: deployer, nonce: 0n }), 'paymentSettlement')
  const code = await rpc.client.getCode({ address: expected })
  if (code !== undefined && code !== '0x') return expected
  const admin = roles.admin.account.address
  const operator = roles.operator.account.address
  const { contractAddress } = await rpc.send({
    from: deployer,
    data: encodeDeployData({
      abi: paymentSettlementAbi,
      bytecode: paymentSettlementBytecodes[service],
      args: [creditsContract, admin, 0, []],
    }),
  })
  if (contractAddress === undefined)
    throw new ChainSetupError('The payment settlement contract was not deployed.')
  const paymentSettlement = checkAddress(contractAddress, 'paymentSettlement')
  for (const [to, functionName, holder] of [
    [paymentSettlement, 'OPERATOR_ROLE', operator],
    [creditsContract, 'MINTER_ROLE', paymentSettlement],
  ] as const) {
    const role = await rpc.client.readContract({ address: to, abi: creditsAbi, functionName })
    await rpc.send({
      from: admin,
      to,
      data: encodeFunctionData({ abi: creditsAbi, functionName: 'grantRole', args: [role, holder] }),
    })
  }
  // So that redeems cannot send USDC there, where it would be lost.
  await rpc.send({
    from: admin,
    to: creditsContract,
    data: encodeFunctionData({
      abi: creditsAbi,
      functionName: 'setOwnContract',
      args: [paymentSettlement, true],
    }),
  })
  await rpc.send({
    from: operator,
    to: usdc,
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [paymentSettlement, maxUint256],
    }),
  })
  await mintUsdc(operator, treasury)
  return paymentSettlement
}

export declare namespace deployPaymentSettlement {
  type Options = { service: ServiceKind; usdc: Hex; creditsContract: Hex; mintUsdc: UsdcMint }
}

/** Bytecode of the payment settlement contract; both kinds have the same constructor. */
export const paymentSettlementBytecodes: Readonly<Record<ServiceKind, Hex>> = {
  intentBound: paymentSettlementBytecode,
  randomNonce: randomNoncePaymentSettlementBytecode,
}

/** Accounts that deploy nothing else, so that the address depends only on the service kind. */
const deployers = { intentBound: 'payments deployer', randomNonce: 'random-nonce payments deployer' } as const

/** One million USDC in raw units, to settle card payments. */
const treasury = 1_000_000_000_000n
