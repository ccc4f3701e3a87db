// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RoleGrant} from "./RoleGrant.sol";
import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";

/// @title Roles from the constructor
/// @dev So the deploying account never holds a role. The admin role cannot be among them: `AccessControlDefaultAdminRules` grants it.
abstract contract InitialRoles is AccessControlDefaultAdminRules {
    constructor(RoleGrant[] memory grants) {
        for (uint256 i = 0; i < grants.length; ++i) {
            _grantRole(grants[i].role, grants[i].account);
        }
    }
}
