import { tempoChainIds } from '../../../redeemkit/core/evmNetworks.ts'

/** The chain that the local Tempo is: its public test network's id. */
export const tempoChainId = tempoChainIds[1]
