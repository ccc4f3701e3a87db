// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RoleGrant} from "./RoleGrant.sol";
import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";

/// @title Roles that the constructor grants
/// @dev The constructor grants roles, so the deploying account never holds one. The grants cannot include the admin role, which
/// `AccessControlDefaultAdminRules` grants.
abstract contract InitialRoles is AccessControlDefaultAdminRules {
    constructor(RoleGrant[] memory grants) {
        for (uint256 i = 0; i < grants.length; ++i) {
            _grantRole(grants[i].role, grants[i].account);
        }
    }
}
