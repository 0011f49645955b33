@echo off
setlocal
set ELECTRON_RUN_AS_NODE=1
"%~dp0..\..\Siku.exe" "%~dp0..\app.asar\bin\siku.js" %*
