// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice One role that an account holds from the beginning.
/// @param role its id, as `OPERATOR_ROLE()` returns it
/// @param account its holder
struct RoleGrant {
    bytes32 role;
    address account;
}

/// @notice What the credits contract is deployed with.
/// @param bridgeAdapter carries decent settlements; may have no code yet, zero for none
/// @param ownContracts further contracts of the deployment, which a redeem neither pays nor calls
/// @param grants roles, from the beginning
struct Setup {
    address bridgeAdapter;
    address[] ownContracts;
    RoleGrant[] grants;
}
