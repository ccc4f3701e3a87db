// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Create3} from "@openzeppelin/contracts/utils/Create3.sol";

/// @title Deploys contracts to addresses that depend only on the deployer and a salt
/// @notice The address does not depend on code or constructor arguments, so contracts that differ between chains can
/// have the same address on every chain.
/// @dev Deploy this factory with the deterministic deployer 0x4e59b44847b379578588920cA78FbF26c0B4956C, so that the
/// factory also has the same address on every chain.
contract Create3Factory {
    /// @notice A contract was deployed.
    /// @param deployer the account that deployed it
    /// @param salt the deployer's salt
    /// @param deployed its address
    event Deployed(address indexed deployer, bytes32 indexed salt, address deployed);

    /// @notice Deploys a contract. Reverts if the caller has used the salt, or if the constructor reverts.
    /// @param salt any value that the caller has not used; other callers have their own salts
    /// @param creationCode followed by the constructor arguments
    /// @return deployed `addressOf(caller, salt)`
    function deploy(bytes32 salt, bytes calldata creationCode) external returns (address deployed) {
        deployed = Create3.deploy(0, _boundSalt(msg.sender, salt), creationCode);
        emit Deployed(msg.sender, salt, deployed);
    }

    /// @notice Returns the address of a deployer's contract, deployed or not.
    /// @param deployer the account that deploys it
    /// @param salt the deployer's salt
    function addressOf(address deployer, bytes32 salt) external view returns (address) {
        return Create3.computeAddress(_boundSalt(deployer, salt));
    }

    function _boundSalt(address deployer, bytes32 salt) private pure returns (bytes32) {
        return keccak256(abi.encode(deployer, salt));
    }
}
