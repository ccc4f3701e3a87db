// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";

/// @notice One role that an account holds from the beginning.
/// @param role its id, as `OPERATOR_ROLE()` answers it
/// @param account its holder
struct RoleGrant {
    bytes32 role;
    address account;
}

/// @title Roles from the constructor
/// @dev So no account that deploys ever holds a role. The admin role is given by `AccessControlDefaultAdminRules`, and refused
/// here.
abstract contract InitialRoles is AccessControlDefaultAdminRules {
    constructor(RoleGrant[] memory grants) {
        for (uint256 i = 0; i < grants.length; ++i) {
            _grantRole(grants[i].role, grants[i].account);
        }
    }
}
