// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Create3} from "@openzeppelin/contracts/utils/Create3.sol";

/// @title Deploys contracts to addresses that follow from who deploys them and from a salt alone
/// @notice Neither the code nor the arguments of a constructor are part of the address, so that contracts which differ in them
/// have the same address on every chain that has this factory at the same one.
/// @dev Put this factory on a chain by the deterministic deployer 0x4e59b44847b379578588920cA78FbF26c0B4956C.
contract Create3Factory {
    /// @notice A contract was deployed.
    /// @param deployer who deployed it
    /// @param salt the deployer's own
    /// @param deployed its address
    event Deployed(address indexed deployer, bytes32 indexed salt, address deployed);

    /// @notice Deploys a contract. Reverts when the caller used the salt before, and with what the constructor reverts with.
    /// @param salt of the caller: nobody else can use it up
    /// @param creationCode with the arguments of the constructor
    /// @return deployed `addressOf(caller, salt)`
    function deploy(bytes32 salt, bytes calldata creationCode) external returns (address deployed) {
        deployed = Create3.deploy(0, _boundSalt(msg.sender, salt), creationCode);
        emit Deployed(msg.sender, salt, deployed);
    }

    /// @notice Where a deployer's contract stands, or will stand.
    /// @param deployer who deploys it
    /// @param salt the deployer's own
    function addressOf(address deployer, bytes32 salt) external view returns (address) {
        return Create3.computeAddress(_boundSalt(deployer, salt));
    }

    function _boundSalt(address deployer, bytes32 salt) private pure returns (bytes32) {
        return keccak256(abi.encode(deployer, salt));
    }
}
