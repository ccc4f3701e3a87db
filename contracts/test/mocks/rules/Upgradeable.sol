// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Payment} from "../Payment.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";

/// @title The implementation behind `Upgradeable`

contract UpgradeableShop is Payment, Ownable, UUPSUpgradeable {
    mapping(address receiver => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) Ownable(msg.sender) {}

    function start(address owner_) external {
        require(owner() == address(0), "UpgradeableShop: started");
        _transferOwnership(owner_);
    }

    function buy(address receiver, uint256 price) external {
        _pull(price);
        paidFor[receiver] += price;
    }

    function _authorizeUpgrade(address) internal view override {
        _checkOwner();
    }
}

/// @title Breaks one rule: its owner can make it do something else tomorrow
contract Upgradeable is ERC1967Proxy {
    constructor(address usdc_)
        ERC1967Proxy(address(new UpgradeableShop(usdc_)), abi.encodeCall(UpgradeableShop.start, (msg.sender)))
    {}
}
