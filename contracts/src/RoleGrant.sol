// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice A role that is granted at deployment.
/// @param role its id, as `OPERATOR_ROLE()` returns it
/// @param account its holder
struct RoleGrant {
    bytes32 role;
    address account;
}

/// @notice Initial settings of the credits contract.
/// @param bridgeAdapter the adapter for decent settlements; may not have code yet; zero for none
/// @param ownContracts further contracts of the deployment, which a redeem cannot pay or call
/// @param grants roles, granted at deployment
struct Setup {
    address bridgeAdapter;
    address[] ownContracts;
    RoleGrant[] grants;
}
